// Script of the HTML page of one report.
import { PAGE_ELEMENTS } from './page-elements.ts';

export const PAGE_SCRIPT = `
(function () {
'use strict';
${PAGE_ELEMENTS}
var main = document.getElementById('content');
var links = document.getElementById('sections');
main.textContent = '';
function section(id, title) {
  var heading = make('h2', { id: id + '-title', text: title });
  var made = make('section', { id: id, 'aria-labelledby': id + '-title' }, heading);
  main.appendChild(made);
  links.appendChild(make('li', null, make('a', { href: '#' + id, text: title })));
  return made;
}

var entries = root.problems.map(function (raw) { return entryOf(raw, false); })
  .concat(root.findings.map(function (raw) { return entryOf(raw, true); }));
var order = ordered(entries);

var chosen = { cluster: undefined, policy: undefined, folder: undefined };
var findings = section('findings', 'Findings');
findings.appendChild(make('p', { class: 'muted', text: plural(root.findings.length, 'finding') + ', ' + plural(root.problems.length, 'diagnostic') }));

var overview = make('div', { class: 'overview' });
var TITLES = { cluster: 'By cluster', policy: 'By policy', folder: 'By folder' };
var MOST = 5;
var buttons = [];
Object.keys(TITLES).forEach(function (key) {
  var tally = new Map();
  entries.forEach(function (entry) {
    if (entry.counts) entry[key].forEach(function (name) { tally.set(name, (tally.get(name) || 0) + 1); });
  });
  if (tally.size === 0) return;
  var rows = Array.from(tally).sort(function (one, other) { return other[1] - one[1] || (one[0] < other[0] ? -1 : 1); });
  function list(some) {
    var made = make('ul');
    some.forEach(function (row) {
      var button = make('button', { type: 'button', 'aria-pressed': 'false' }, make('span', { text: row[0] }), make('span', { class: 'muted', text: String(row[1]) }));
      buttons.push({ element: button, key: key, name: row[0] });
      button.addEventListener('click', function () {
        chosen[key] = chosen[key] === row[0] ? undefined : row[0];
        update();
      });
      made.appendChild(make('li', null, button));
    });
    return made;
  }
  var box = make('section', { 'aria-label': TITLES[key] }, make('h3', { text: TITLES[key] }), list(rows.slice(0, MOST)));
  if (rows.length > MOST) {
    var rest = rows.slice(MOST, 1000);
    var more = make('details', null, make('summary', { text: rows.length - MOST + ' more' }));
    more.addEventListener('toggle', function () { if (more.childNodes.length === 1) more.appendChild(list(rest)); });
    box.appendChild(more);
  }
  overview.appendChild(box);
});
findings.appendChild(overview);

var search = make('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' });
var filters = make('div', { class: 'filters', role: 'search' },
  make('label', { class: 'search', for: 'search' }, make('span', { text: 'Search' }), search));
var boxes = {};
[['error', 'denied, errors'], ['warning', 'warned about'], ['notice', 'audited'], ['aside', 'accepted, existing']].forEach(function (row) {
  var box = make('input', { type: 'checkbox', id: 'show-' + row[0] });
  box.checked = row[0] !== 'aside';
  box.addEventListener('change', update);
  boxes[row[0]] = box;
  filters.appendChild(make('label', { for: 'show-' + row[0] }, box, make('span', { text: row[1] })));
});
var clear = make('button', { type: 'button', text: 'Show all' });
filters.appendChild(clear);
findings.appendChild(filters);
var list = paged('entries', function (some) {
  var made = make('ol', { class: 'list' });
  some.forEach(function (index) { made.appendChild(article(entries[index].read())); });
  return made;
});
findings.appendChild(list.element);
function update() {
  var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.set(order.filter(function (index) {
    var entry = entries[index];
    if (!boxes[entry.severity].checked || (!entry.counts && !boxes.aside.checked)) return false;
    for (var key in chosen) if (chosen[key] !== undefined && entry[key].indexOf(chosen[key]) < 0) return false;
    return words.every(function (word) { return entry.words.indexOf(word) >= 0; });
  }));
  buttons.forEach(function (button) { button.element.setAttribute('aria-pressed', String(chosen[button.key] === button.name)); });
}
search.addEventListener('input', update);
clear.addEventListener('click', function () {
  search.value = '';
  Object.keys(boxes).forEach(function (key) { boxes[key].checked = true; });
  Object.keys(chosen).forEach(function (key) { chosen[key] = undefined; });
  update();
});
update();

if (root.blast) {
  var blast = section('blast-radius', 'Blast radius');
  blast.appendChild(make('p', { text: 'Once this is merged: ' + read(root.blast.heading) + '.' }));
  blast.appendChild(bullets(read(root.blast.causes)));
  blast.appendChild(changedVerdicts(root.blast.entries));
}
if (root.candidates) candidates(section('candidate-policies', 'Candidate policies'));
if (root.upgrades) upgrades(section('upgrades', 'Before the next upgrades'));
if (root.comparison || root.notCompared !== undefined) {
  var compared = section('comparison', 'Comparison');
  if (root.notCompared !== undefined) compared.appendChild(make('p', { text: 'The whole repository was checked, not the change: ' + read(root.notCompared) }));
  if (root.comparison) compared.appendChild(bullets(read(root.comparison)));
  if (root.fixed.length > 0) {
    var fixed = paged('fixed findings', function (some) {
      return table('Fixed by this change', ['object', 'policy', 'said', 'place'], some.map(read), function (row) {
        return [row.object, row.policy, row.message, row.path + ':' + row.line];
      });
    });
    compared.appendChild(fixed.element);
    fixed.set(root.fixed);
  }
}
var checked = section('coverage', 'Coverage');
var coverage = read(Object.assign({}, root.coverage, { skipped: [] }));
checked.appendChild(bullets([
  plural(Number(coverage.files), 'file') + ', ' + plural(Number(coverage.found), 'document') + ' found, ' + coverage.evaluated + ' evaluated, ' +
    (Number(coverage.found) - Number(coverage.evaluated)) + ' not evaluated',
].concat(coverage.extents, read(root.derived), read(root.additions), read(root.mutatedAway), read(root.auditAnnotations))));
if (root.unknowns.length > 0) {
  checked.appendChild(make('h3', { text: 'Unknowns' }));
  checked.appendChild(bullets(read(root.unknowns)));
}
if (root.clusters.length > 0) checked.appendChild(table('Clusters', ['cluster', 'Kubernetes', 'user', 'objects', 'policies'], read(root.clusters), function (row) {
  return [row.name, row.kubernetesVersion, row.user, row.evaluated, row.policies];
}));
if (root.policies.length > 0) {
  var policies = paged('policies', function (some) {
    return table('Policies', ['policy', 'kind', 'cluster', 'requests', 'denied', 'warned', 'audited', 'undecided', 'file'], some.map(read), function (row) {
      return [row.name, row.kind, row.cluster, row.matched, row.denied, row.warned, row.audited, row.undecided, row.path];
    });
  });
  checked.appendChild(policies.element);
  policies.set(root.policies);
}
if (coverage.reasons.length > 0) {
  var left = section('not-evaluated', 'Not evaluated');
  left.appendChild(table('Why documents were not evaluated', ['documents', 'reason', 'meaning'], coverage.reasons, function (row) {
    return [row.count, row.reason, row.meaning];
  }));
  var skipped = paged('documents', function (some) {
    return table('Documents that were not evaluated', ['place', 'reason', 'detail'], some.map(read), function (row) { return [row.at, row.reason, row.detail]; });
  });
  left.appendChild(skipped.element);
  skipped.set(root.coverage.skipped);
}

document.addEventListener('keydown', function (event) {
  var isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || '');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && isTyping) { event.target.blur(); return; }
  if (isTyping) return;
  if (event.key === '/') {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    var all = Array.from(list.element.querySelectorAll('article'));
    var now = all.indexOf(document.activeElement && document.activeElement.closest('article'));
    var target = all[now < 0 ? 0 : now + (event.key === 'j' ? 1 : -1)];
    if (target) target.focus();
  }
});
})();
`;
