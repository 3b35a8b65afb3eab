package audit

import "context"

// AddAuditAnnotationsMap does nothing: there is no audit log.
func AddAuditAnnotationsMap(context.Context, map[string]string) {}
