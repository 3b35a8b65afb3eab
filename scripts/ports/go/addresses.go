package main

import (
	"net/mail"
	"net/netip"
	"net/url"

	"preadmit.ports/protocol"
)

var addresses = protocol.Port{
	"netip.ParseAddr": func(call protocol.Call) any {
		address, err := netip.ParseAddr(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		kinds := []bool{address.Is4(), address.Is4In6()}
		if !address.Is4In6() {
			kinds = append(kinds, address.IsUnspecified(), address.IsLoopback(), address.IsLinkLocalMulticast(), address.IsLinkLocalUnicast(),
				address.IsGlobalUnicast())
		}
		return value([]any{address.String(), address.Zone(), kinds})
	},
	"Addr.Compare": func(call protocol.Call) any {
		left, err := netip.ParseAddr(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		right, err := netip.ParseAddr(call.Text(1))
		return answered(left == right, err)
	},
	"netip.ParsePrefix": func(call protocol.Call) any {
		prefix, err := netip.ParsePrefix(call.Text(0))
		return answered([]any{prefix.String(), prefix.Masked().String(), prefix.Bits()}, err)
	},
	"Prefix.Contains": func(call protocol.Call) any {
		prefix, err := netip.ParsePrefix(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		address, err := netip.ParseAddr(call.Text(1))
		return answered(prefix.Contains(address), err)
	},
	"Prefix.Overlaps": func(call protocol.Call) any {
		left, err := netip.ParsePrefix(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		right, err := netip.ParsePrefix(call.Text(1))
		return answered(left.Overlaps(right), err)
	},
	"mail.ParseAddress": func(call protocol.Call) any {
		_, err := mail.ParseAddress(call.Text(0))
		return value(err == nil)
	},
	"url.Parse": func(call protocol.Call) any { return parts(url.Parse(call.Text(0))) },
	// Go up to 1.25.
	"url.Parse lenient": func(call protocol.Call) any {
		return setDebug("urlstrictcolons=0", func() any { return parts(url.Parse(call.Text(0))) })
	},
	"url.ParseRequestURI": func(call protocol.Call) any { return parts(url.ParseRequestURI(call.Text(0))) },
	"url.QueryEscape":     func(call protocol.Call) any { return value(url.QueryEscape(bytesOf(call, 0))) },
	"url.QueryUnescape": func(call protocol.Call) any {
		unescaped, err := url.QueryUnescape(bytesOf(call, 0))
		return answered(written(unescaped), err)
	},
}

func parts(address *url.URL, err error) any {
	if err != nil {
		return protocol.Failed(err)
	}
	return value([]any{
		address.String(), address.Scheme, address.Host, address.Hostname(), address.Port(), address.EscapedPath(), address.Query(),
	})
}
