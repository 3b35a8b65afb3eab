// The script that the pages share. It creates elements and sets text content, and never parses text as markup or as a URL.

/** Entries per page; rendering time does not depend on the total. */
export const PAGE_SIZE = 50;

export const PAGE_ELEMENTS = `
var SIZE = ${PAGE_SIZE};
var ACTIONS = { error: 'denied', warning: 'warned about', notice: 'audited' };
var LEVELS = { error: 'error', warning: 'warning', notice: 'notice' };
var data = JSON.parse(document.getElementById('report').textContent);
var root = data.root;

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
function article(entry) {
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
  pair(facts, 'owner', entry.owners && entry.owners.join(', '));
  pair(facts, 'since', entry.since);
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

function changedVerdicts(entries) {
  var radius = paged('objects', function (some) {
    return table('Objects whose verdict changes', ['object', 'before', 'after', 'by', 'says', 'place', 'cluster'], some.map(read), function (row) {
      return [row.object, row.before, row.after, row.by, row.message + (row.stored === '' ? '' : ' stored differently: ' + row.stored), row.at, row.cluster];
    });
  });
  radius.set(entries);
  return radius.element;
}
function candidates(into) {
  into.appendChild(make('p', { text: 'With the candidate policies: ' + read(root.candidates.heading) + '.' }));
  into.appendChild(bullets(read(root.candidates.lines)));
  if (root.candidates.entries.length > 0) into.appendChild(changedVerdicts(root.candidates.entries));
}
function upgrades(into) {
  into.appendChild(bullets(read(root.upgrades.lines)));
  if (root.upgrades.actions.length === 0) {
    into.appendChild(make('p', { text: 'No difference was found in the known releases.' }));
    return;
  }
  var actions = paged('actions', function (some) {
    return table('What to do before an upgrade', ['before', 'change', 'says', 'rule or code', 'where', 'owner'], some.map(read), function (row) {
      return [row.before, row.kind, row.message, row.what, row.where, row.owners];
    });
  });
  into.appendChild(actions.element);
  actions.set(root.upgrades.actions);
}

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
/** Indices of the entries: those that count first, the most severe first. */
function ordered(entries) {
  var ranks = { error: 0, warning: 1, notice: 2 };
  return entries.map(function (entry, index) { return index; }).sort(function (one, other) {
    return Number(entries[other].counts) - Number(entries[one].counts) || ranks[entries[one].severity] - ranks[entries[other].severity] || one - other;
  });
}
`;
