package feature

import "context"

func ResetFeatureInfoMetric() {}

func RecordFeatureInfo(context.Context, string, string, bool) {}
