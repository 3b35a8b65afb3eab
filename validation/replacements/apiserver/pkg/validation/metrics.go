package validation

// Metrics counts nothing.
var Metrics uncounted

type uncounted struct{}

func (uncounted) IncDeclarativeValidationMismatchMetric(...string) {}
func (uncounted) IncDeclarativeValidationPanicMetric(...string)    {}
func (uncounted) IncDuplicateValidationErrorMetric(...string)      {}
