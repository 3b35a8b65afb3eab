// Script of the HTML page. It creates elements and sets text content, and never parses text as markup or as a URL.

/** Entries per page; rendering time does not depend on the total. */
export const PAGE_SIZE = 50;

export const PAGE_SCRIPT = `
(function () {
'use strict';
var SIZE = ${PAGE_SIZE};
var ACTIONS = { error: 'denied', warning: 'warned about', notice: 'audited' };
var LEVELS = { error: 'error', warning: 'warning', notice: 'notice' };
var data = JSON.parse(document.getElementById('report').textContent);

/** Numbers are text indices; the texts of an object are resolved on demand. */
function read(value) {
  if (typeof value === 'number') return data.texts[value];
  if (Array.isArray(value)) return value.map(read);
  if (value && typeof value === 'object') {
    var made = {};
    Object.keys(value).forEach(function (key) { made[key] = read(value[key]); });
    return made;
  }
  return value;
}
function make(name, options) {
  var element = document.createElement(name);
  if (options) Object.keys(options).forEach(function (key) {
    if (options[key] === undefined) return;
    if (key === 'text') element.textContent = options[key];
    else element.setAttribute(key, options[key]);
  });
  for (var index = 2; index < arguments.length; index++) {
    var child = arguments[index];
    if (child) element.appendChild(child);
  }
  return element;
}
function plural(number, one, several) { return number + ' ' + (number === 1 ? one : several || one + 's'); }
function section(id, title) {
  var heading = make('h2', { id: id + '-title', text: title });
  var made = make('section', { id: id, 'aria-labelledby': id + '-title' }, heading);
  main.appendChild(made);
  links.appendChild(make('li', null, make('a', { href: '#' + id, text: title })));
  return made;
}
function bullets(lines) {
  var list = make('ul');
  lines.forEach(function (line) { list.appendChild(make('li', { text: line })); });
  return list;
}
function table(caption, columns, rows, cells) {
  var head = make('tr');
  columns.forEach(function (column) { head.appendChild(make('th', { scope: 'col', text: column })); });
  var body = make('tbody');
  rows.forEach(function (row) {
    var line = make('tr');
    cells(row).forEach(function (cell) { line.appendChild(make('td', { text: cell, class: /^[0-9]+$/.test(cell) ? 'number' : undefined })); });
    body.appendChild(line);
  });
  var made = make('table', null, make('caption', { text: caption, class: 'muted' }), make('thead', null, head), body);
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, made);
}
/** A paginated list of rows. */
function paged(label, render) {
  var previous = make('button', { type: 'button', text: 'Previous' });
  var next = make('button', { type: 'button', text: 'Next' });
  var status = make('span', { role: 'status' });
  var body = make('div');
  var bar = make('div', { class: 'pages', role: 'group', 'aria-label': 'Pages of ' + label }, previous, next, status);
  var items = [];
  var page = 0;
  function show() {
    var from = page * SIZE;
    var to = Math.min(from + SIZE, items.length);
    body.textContent = '';
    body.appendChild(render(items.slice(from, to)));
    status.textContent = items.length === 0 ? 'no ' + label : label + ' ' + (from + 1) + ' to ' + to + ' of ' + items.length;
    previous.disabled = page === 0;
    next.disabled = to >= items.length;
  }
  function turn(by) {
    page += by;
    show();
    bar.scrollIntoView && bar.scrollIntoView({ block: 'start' });
  }
  previous.addEventListener('click', function () { turn(-1); });
  next.addEventListener('click', function () { turn(1); });
  return { element: make('div', null, bar, body), set: function (list) { items = list; page = 0; show(); } };
}
function code(frame, first, last) {
  var block = make('pre', { tabindex: '0' });
  var start = Number(frame.first);
  var width = String(start + frame.lines.length - 1).length;
  frame.lines.forEach(function (line, index) {
    var number = start + index;
    var isHit = number >= first && number <= last;
    var label = String(number);
    while (label.length < width) label = ' ' + label;
    block.appendChild(make('span', { class: isHit ? 'hit' : undefined, text: (isHit ? '> ' : '  ') + label + ' | ' + line + '\\n' }));
  });
  return block;
}
function pair(list, name, value, asCode) {
  if (value === undefined || value === '') return;
  list.appendChild(make('dt', { text: name }));
  list.appendChild(asCode ? make('dd', null, make('code', { text: value })) : make('dd', { text: value }));
}
function actionOf(entry) {
  var word = entry.policy === undefined ? LEVELS[entry.severity] : entry.result === 'unknown' ? 'undecided' : ACTIONS[entry.severity];
  var words = [word];
  if (entry.accepted !== undefined) words.push('accepted');
  if (entry.status !== undefined) words.push(entry.status);
  return words.join(', ');
}
function article(index) {
  var entry = entries[index].read();
  var head = make('h3', { text: entry.message });
  var where = entry.path === undefined ? '' : entry.path + ':' + entry.line;
  var line = make('p', null, make('span', { class: 'action', text: actionOf(entry) + ' ' }),
    entry.object === undefined ? null : make('code', { text: entry.object }), make('span', { text: where === '' ? '' : ' in ' + where }));
  var made = make('article', { class: 'entry ' + entry.severity, tabindex: '-1' }, head, line);
  if (entry.frame) made.appendChild(code(entry.frame, Number(entry.line), Number(entry.last)));
  if (entry.expression !== undefined) {
    made.appendChild(make('p', { class: 'muted', text: entry.rule }));
    made.appendChild(make('pre', { tabindex: '0', text: entry.expression }));
  } else if (entry.rule !== undefined) made.appendChild(make('p', { class: 'muted', text: entry.rule }));
  if (entry.help !== undefined) made.appendChild(make('p', { text: 'help: ' + entry.help }));
  var facts = make('dl');
  pair(facts, 'field', entry.field, true);
  pair(facts, 'param', entry.param, true);
  pair(facts, 'binding', entry.binding, true);
  pair(facts, 'actions', entry.actions);
  pair(facts, 'cluster', entry.clusters && entry.clusters.join(', '));
  pair(facts, 'server answers', entry.server);
  pair(facts, 'accepted', entry.accepted);
  pair(facts, 'code', entry.code, true);
  (entry.notes || []).forEach(function (note) { pair(facts, 'note', note); });
  var box = make('details', null, make('summary', { text: 'Why' }));
  if (facts.firstChild) box.appendChild(facts);
  entry.related.forEach(function (place) {
    box.appendChild(make('p', { text: place.message + ': ' + place.at }));
    if (place.frame) box.appendChild(code(place.frame, Number(place.line), Number(place.line)));
  });
  if (box.childNodes.length > 1) made.appendChild(box);
  return make('li', null, made);
}

var main = document.getElementById('content');
var links = document.getElementById('sections');
var root = data.root;
main.textContent = '';

/** Fields shown and searched for every entry; their texts are resolved on demand. */
function entryOf(raw, isFinding) {
  var path = read(raw.path);
  var slash = path === undefined ? -1 : path.lastIndexOf('/');
  return {
    read: function () { return read(raw); },
    severity: read(raw.severity),
    counts: raw.accepted === undefined && !(read(root.only) === 'new' && read(raw.status) === 'existing'),
    cluster: isFinding ? read(raw.clusters) : [],
    policy: isFinding ? [read(raw.policy)] : [],
    folder: path === undefined ? [] : [slash < 0 ? '.' : path.slice(0, slash)],
    words: [raw.message, raw.object, raw.path, raw.policy, raw.rule, raw.expression, raw.param, raw.code, raw.binding]
      .map(function (word) { return word === undefined ? '' : read(word); }).join('\\n').toLowerCase(),
  };
}
var entries = root.problems.map(function (raw) { return entryOf(raw, false); })
  .concat(root.findings.map(function (raw) { return entryOf(raw, true); }));
var ranks = { error: 0, warning: 1, notice: 2 };
var order = entries.map(function (entry, index) { return index; }).sort(function (one, other) {
  return Number(entries[other].counts) - Number(entries[one].counts) || ranks[entries[one].severity] - ranks[entries[other].severity] || one - other;
});

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
  some.forEach(function (index) { made.appendChild(article(index)); });
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
  var radius = paged('objects', function (some) {
    return table('Objects whose verdict changes', ['object', 'before', 'after', 'by', 'says', 'place', 'cluster'], some.map(read), function (row) {
      return [row.object, row.before, row.after, row.by, row.message + (row.stored === '' ? '' : ' stored differently: ' + row.stored), row.at, row.cluster];
    });
  });
  blast.appendChild(radius.element);
  radius.set(root.blast.entries);
}
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
