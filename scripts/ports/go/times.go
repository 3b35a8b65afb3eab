package main

import (
	"slices"
	"strconv"
	"time"

	"preadmit.ports/protocol"
)

var times = protocol.Port{
	"time.ParseDuration": func(call protocol.Call) any {
		duration, err := time.ParseDuration(call.Text(0))
		return answered(strconv.FormatInt(int64(duration), 10), err)
	},
	"Duration.String":  func(call protocol.Call) any { return value(time.Duration(integer(call, 0)).String()) },
	"Duration.Seconds": func(call protocol.Call) any { return value(bitsOf(time.Duration(integer(call, 0)).Seconds())) },
	"time.Duration": func(call protocol.Call) any {
		return value(strconv.FormatInt(int64(time.Duration(float(call, 0))), 10))
	},
	"time.Parse fixed": func(call protocol.Call) any {
		requireLayout(call, time.RFC3339, "2006-01-02T15:04:05.000000Z07:00", "2006-01-02T15:04:05", time.DateOnly)
		parsed, err := time.Parse(call.Text(0), call.Text(1))
		return answered([]any{parsed.Unix(), parsed.Nanosecond(), parsed.IsZero()}, err)
	},
	"time.Parse": func(call protocol.Call) any {
		parsed, err := time.Parse(call.Text(0), call.Text(1))
		_, offset := parsed.Zone()
		return answered([]any{parsed.Unix(), parsed.Nanosecond(), offset}, err)
	},
	"Time.Format": func(call protocol.Call) any {
		requireLayout(call, time.RFC3339, "2006-01-02T15:04:05.000000Z07:00")
		return value(time.Unix(integer(call, 1), integer(call, 2)).UTC().Format(call.Text(0)))
	},
	"Time.Format zone": func(call protocol.Call) any {
		zone := time.UTC
		if offset := integer(call, 1); offset != 0 {
			zone = time.FixedZone("", int(offset))
		}
		return value(time.Unix(integer(call, 0), 0).In(zone).Format(time.RFC3339))
	},
	"Time.Date": func(call protocol.Call) any {
		year, month, day := time.Unix(integer(call, 0)*86400, 0).UTC().Date()
		return value([]int{year, int(month), day})
	},
	// The days since 1970, and the length of the month.
	"time.Date": func(call protocol.Call) any {
		year, month, day := int(integer(call, 0)), time.Month(integer(call, 1)), int(integer(call, 2))
		days := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400
		return value([]int{int(days), time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()})
	},
}

// requireLayout refuses layouts that the port does not know, which only the shrinking of a call makes.
func requireLayout(call protocol.Call, layouts ...string) {
	if !slices.Contains(layouts, call.Text(0)) {
		panic("harness: layout " + call.Text(0))
	}
}
