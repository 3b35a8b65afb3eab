package main

import (
	"math"
	"sort"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"preadmit.ports/protocol"
)

// apimachinery answers quantities, selectors and names.
var apimachinery = protocol.Port{
	"quantity.parse": func(call protocol.Call) any {
		quantity, err := resource.ParseQuantity(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		return quantityAnswer(quantity)
	},
	"quantity.add":      combined(func(left *resource.Quantity, right resource.Quantity) { left.Add(right) }),
	"quantity.subtract": combined(func(left *resource.Quantity, right resource.Quantity) { left.Sub(right) }),
	"quantity.compare": func(call protocol.Call) any {
		left, right, err := quantities(call)
		return protocol.Answered(left.Cmp(right), err)
	},
	"selector.labels": func(call protocol.Call) any {
		var written metav1.LabelSelector
		call.Read(0, &written)
		set := labels.Set{}
		call.Read(1, &set)
		selector, err := metav1.LabelSelectorAsSelector(&written)
		if err != nil {
			return protocol.Failed(err)
		}
		return map[string]any{"value": map[string]any{"matches": selector.Matches(set), "empty": selector.Empty()}}
	},
	"selector.parse-labels": func(call protocol.Call) any {
		requirements, err := labels.ParseToRequirements(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		listed := []any{}
		for _, each := range requirements {
			listed = append(listed, requirement(each.Key(), string(each.Operator()), each.ValuesUnsorted()))
		}
		return map[string]any{"value": listed}
	},
	"selector.parse-fields": func(call protocol.Call) any {
		selector, err := fields.ParseSelector(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		listed := []any{}
		for _, each := range selector.Requirements() {
			listed = append(listed, requirement(each.Field, string(each.Operator), []string{each.Value}))
		}
		return map[string]any{"value": listed}
	},
	"name.label-key":     names(utilvalidation.IsQualifiedName),
	"name.label-value":   names(utilvalidation.IsValidLabelValue),
	"name.dns-label":     names(utilvalidation.IsDNS1123Label),
	"name.dns-subdomain": names(utilvalidation.IsDNS1123Subdomain),
	"name.dns1035-label": names(utilvalidation.IsDNS1035Label),
	"name.object-prefix": names(func(name string) []string { return validation.NameIsDNSSubdomain(name, true) }),
}

func requirement(key, operator string, values []string) any {
	sort.Strings(values)
	if values == nil {
		values = []string{}
	}
	return map[string]any{"key": key, "operator": operator, "values": values}
}

func names(check func(string) []string) func(protocol.Call) any {
	return func(call protocol.Call) any {
		problems := check(call.Text(0))
		if problems == nil {
			problems = []string{}
		}
		return map[string]any{"value": problems}
	}
}

func quantities(call protocol.Call) (resource.Quantity, resource.Quantity, error) {
	left, err := resource.ParseQuantity(call.Text(0))
	if err != nil {
		return left, left, err
	}
	right, err := resource.ParseQuantity(call.Text(1))
	return left, right, err
}

func combined(change func(left *resource.Quantity, right resource.Quantity)) func(protocol.Call) any {
	return func(call protocol.Call) any {
		left, right, err := quantities(call)
		if err != nil {
			return protocol.Failed(err)
		}
		change(&left, right)
		return quantityAnswer(left)
	}
}

func quantityAnswer(quantity resource.Quantity) any {
	value := map[string]any{"text": quantity.String(), "format": string(quantity.Format), "sign": quantity.Sign()}
	if whole, ok := quantity.AsInt64(); ok {
		value["int"] = strconv.FormatInt(whole, 10)
	}
	if approximate := quantity.AsApproximateFloat64(); !math.IsInf(approximate, 0) {
		value["double"] = approximate
	}
	return map[string]any{"value": value}
}

func namesOf(port protocol.Port) []string {
	listed := []string{}
	for name := range port {
		listed = append(listed, name)
	}
	sort.Strings(listed)
	return listed
}
