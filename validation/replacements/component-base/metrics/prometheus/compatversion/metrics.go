package compatversion

import "context"

func RecordCompatVersionInfo(context.Context, string, string, string, string) {}
