// Script of the audit page: one view for each address after `#`, so that it works from a file and its filters can be shared.
import { CHART_ELEMENTS } from './chart-script.ts';
import { PAGE_ELEMENTS } from './page-elements.ts';

export const AUDIT_SCRIPT = `
(function () {
'use strict';
${PAGE_ELEMENTS}
${CHART_ELEMENTS}
var main = document.getElementById('content');
var links = document.getElementById('sections');
var audit = read(Object.assign({}, root.audit, { policies: [], owners: [], clusters: [] }));
var shown = {};

/** Fields of an entry that the filters of this page need. */
function auditEntry(raw, isFinding) {
  var entry = entryOf(raw, isFinding);
  var owners = raw.owners === undefined ? undefined : read(raw.owners);
  entry.policy = raw.policy === undefined ? [] : [read(raw.policy)];
  entry.owner = owners === undefined ? (audit.ownersKnown ? [''] : []) : owners;
  var objects = raw.objects === undefined ? undefined : read(raw.objects);
  entry.resource = objects ? distinct(objects.map(function (each) { return each.resource; })) : isFinding ? [read(raw.resource)] : raw.object === undefined ? [] : [read(raw.object)];
  /** As the history counts: one for each object and cluster, or for each subject of a problem. */
  entry.numberOf = function (kind, name) {
    if (objects === undefined) return isFinding ? 1 : Number(read(raw.number));
    return kind === 'cluster' || kind === 'resource' ? objects.filter(function (each) { return each[kind] === name; }).length : objects.length;
  };
  entry.since = raw.since === undefined ? undefined : read(raw.since);
  entry.isUndecided = raw.undecided !== undefined || (raw.result !== undefined && read(raw.result) === 'unknown');
  // Other problems are listed, but have no history.
  entry.isFollowed = isFinding || entry.severity === 'error' || entry.isUndecided;
  entry.isNew = audit.comparedWith !== undefined && entry.since !== undefined && entry.since > audit.comparedWith;
  entry.words += '\\n' + (owners || []).join('\\n').toLowerCase();
  return entry;
}
function distinct(names) { return names.filter(function (name, index) { return names.indexOf(name) === index; }); }
var entries = root.problems.map(function (raw) { return auditEntry(raw, false); })
  .concat(root.findings.map(function (raw) { return auditEntry(raw, true); }));
var order = ordered(entries);
var KINDS = { policy: 'policies', cluster: 'clusters', owner: 'owners', resource: 'resources' };
var NAMES = { policy: 'Policy', cluster: 'Cluster', owner: 'Owner', resource: 'Resource' };

function address(view, params) {
  var search = new URLSearchParams();
  Object.keys(params || {}).forEach(function (key) { if (params[key] !== undefined && params[key] !== '') search.set(key, params[key]); });
  var text = search.toString();
  return '#/' + view + (text === '' ? '' : '?' + text);
}
function link(words, view, params) { return make('a', { href: address(view, params), text: words }); }
function ownerWords(name) { return name === '' ? 'no owner' : name; }
function nameWords(kind, name) { return kind === 'owner' ? ownerWords(name) : name; }
/** '2026-10-14, 41 days' */
function sinceWords(day) {
  if (day === undefined) return '';
  var days = Math.round((Date.parse(audit.today) - Date.parse(day)) / 86400000);
  return day + (audit.from === day ? ' or earlier' : '') + (days > 0 ? ', ' + plural(days, 'day') : ', new');
}
function heading(words) {
  var made = make('h2', { text: words, tabindex: '-1' });
  main.appendChild(made);
  return made;
}
function linkTable(caption, columns, rows, cells) {
  var made = table(caption, columns, rows, function () { return []; });
  var lines = made.querySelectorAll('tbody tr');
  rows.forEach(function (row, index) {
    cells(row).forEach(function (cell) {
      var isElement = typeof cell === 'object' && cell !== null;
      var words = isElement ? '' : String(cell === undefined ? '' : cell);
      var box = make('td', { text: isElement ? undefined : words, class: /^[0-9]+$/.test(words) ? 'number' : undefined });
      if (isElement) box.appendChild(cell);
      lines[index].appendChild(box);
    });
  });
  return made;
}
function pagedTable(label, caption, columns, rows, cells) {
  var made = paged(label, function (some) { return linkTable(caption, columns, some, cells); });
  made.set(rows);
  return made.element;
}
function seriesOf(kind, name) {
  var list = root.audit[KINDS[kind]] || [];
  for (var index = 0; index < list.length; index++) {
    var own = read(list[index].name);
    if (own === name || (kind === 'policy' && own.slice(own.indexOf('/') + 1) === name)) return read(list[index].values).map(function (text) { return text === null ? null : Number(text); });
  }
  return undefined;
}

/** Findings of earlier audits that this one could not judge. */
function unjudgedOf(kind, name) {
  return audit.unjudged.filter(function (row) { return namesOf(kind, row).indexOf(name) >= 0; });
}
function namesOf(kind, row) {
  if (kind === 'owner') return row.ownerNames.length === 0 && audit.ownersKnown ? [''] : row.ownerNames;
  return kind === 'cluster' ? row.clusterNames : kind === 'resource' ? [row.subject] : row.policy === undefined ? [] : [row.policy];
}
/** Open, undecided and accepted entries for each name. */
function tallies(kind) {
  var found = new Map();
  function rowOf(name) {
    var row = found.get(name) || { name: name, open: 0, undecided: 0, accepted: 0, fresh: 0, unjudged: 0, oldest: undefined };
    found.set(name, row);
    return row;
  }
  audit.unjudged.forEach(function (row) { namesOf(kind, row).forEach(function (name) { rowOf(name).unjudged += 1; }); });
  entries.forEach(function (entry) {
    entry[kind].forEach(function (name) {
      var row = rowOf(name);
      if (!entry.isFollowed) return;
      var number = entry.numberOf(kind, name);
      if (!entry.counts) { row.accepted += number; return; }
      row.open += number;
      if (entry.isUndecided) row.undecided += number;
      if (entry.isNew) row.fresh += number;
      if (entry.since !== undefined && (row.oldest === undefined || entry.since < row.oldest)) row.oldest = entry.since;
    });
  });
  return found;
}
function byOpen(rows) {
  return rows.sort(function (one, other) { return other.open - one.open || other.accepted - one.accepted || (one.name < other.name ? -1 : 1); });
}

function notes() {
  audit.notes.forEach(function (note) { main.appendChild(make('p', { class: 'note', text: note })); });
  if (audit.unjudgedCount !== undefined && Number(audit.unjudgedCount) > 0)
    main.appendChild(make('p', { class: 'note', text: plural(Number(audit.unjudgedCount), 'finding') + ' of earlier audits could not be judged again. They count as open, not as fixed.' }));
}
function trendChart() {
  if (audit.days.length === 0) return make('p', { class: 'muted', text: 'The audit has no history, so there is no trend.' });
  var lines = audit.trend.map(function (line) { return { name: line.name, values: line.values.map(Number) }; })
    .filter(function (line) { return line.values.some(function (value) { return value > 0; }); });
  return chart('Numbers of each audit', audit.days, lines, audit.conclusions);
}

function overview() {
  heading('Overview');
  notes();
  var tiles = make('ul', { class: 'tiles' });
  audit.trend.forEach(function (line) {
    var now = Number(audit.counts[line.name]);
    var at = audit.comparedWith === undefined ? -1 : audit.days.indexOf(audit.comparedWith);
    var change = at < 0 ? undefined : now - Number(line.values[at]);
    var words = change === undefined ? '' : change > 0 ? '+' + change : change < 0 ? '−' + -change : '±0';
    tiles.appendChild(make('li', { class: line.name + (now === 0 ? ' none' : '') }, make('strong', { text: String(now) }), make('span', { text: line.name }), make('div', { class: 'muted', text: words })));
  });
  if (tiles.firstChild) main.appendChild(tiles);
  if (audit.sameDay !== undefined) main.appendChild(make('p', { text: audit.sameDay }));
  if (audit.comparedWith !== undefined) {
    var line = make('p', { text: 'Compared with ' + audit.comparedWith + ': ' });
    line.appendChild(link(audit.new + ' new', 'findings', { age: 'new' }));
    line.appendChild(make('span', { text: ', ' + audit.fixedCount + ' fixed.' }));
    main.appendChild(line);
  }
  main.appendChild(trendChart());
  var old = order.map(function (index) { return entries[index]; }).filter(function (entry) { return entry.counts && entry.since !== undefined && entry.since < audit.today; })
    .sort(function (one, other) { return one.since < other.since ? -1 : one.since > other.since ? 1 : 0; }).slice(0, 10);
  if (old.length > 0) {
    main.appendChild(make('h3', { text: 'Oldest findings' }));
    main.appendChild(linkTable('Oldest findings', ['since', 'object', 'rule', 'owner'], old, function (entry) {
      var fields = entry.read();
      return [sinceWords(entry.since), fields.resource === undefined ? fields.object || fields.path || fields.message : link(fields.resource, 'resource', { name: fields.resource }), fields.policy || fields.code, entry.owner.map(ownerWords).join(', ')];
    }));
  }
  if (audit.fixed.length > 0) {
    main.appendChild(make('h3', { text: 'Fixed' }));
    main.appendChild(pagedTable('fixed findings', 'Findings that the last audits no longer report', ['fixed', 'object', 'rule', 'since', 'owner', 'cluster'], audit.fixed, function (row) {
      return [row.fixed, row.subject, row.rule, row.since, row.owners, row.clusters];
    }));
  }
  unjudgedTable(audit.unjudged);
}
function unjudgedTable(rows) {
  if (rows.length === 0) return;
  main.appendChild(make('h3', { text: 'Not judged again' }));
  main.appendChild(pagedTable('findings', 'Findings of earlier audits that could not be judged again', ['object', 'rule', 'since', 'owner', 'cluster'], rows, function (row) {
    return [row.subject, row.rule, row.since, row.owners, row.clusters];
  }));
}

function listView(kind) {
  var title = KINDS[kind].charAt(0).toUpperCase() + KINDS[kind].slice(1);
  heading(title);
  var found = tallies(kind);
  if (kind === 'policy') root.policies.forEach(function (raw) {
    var name = read(raw.name);
    if (!found.has(name)) found.set(name, { name: name, open: 0, undecided: Number(read(raw.undecided)), accepted: 0, fresh: 0 });
  });
  if (kind === 'cluster') root.clusters.forEach(function (raw) {
    var name = read(raw.name);
    if (!found.has(name)) found.set(name, { name: name, open: 0, undecided: 0, accepted: 0, fresh: 0 });
  });
  var clean = new Map(audit.clean.map(function (row) { return [row.name.slice(row.name.indexOf('/') + 1), row]; }));
  var columns = [NAMES[kind].toLowerCase(), 'open', 'undecided', 'new', 'accepted', 'oldest'].concat(audit.unjudged.length > 0 ? ['not judged again'] : []).concat(kind === 'policy' ? ['without findings'] : []).concat(kind === 'resource' ? [] : ['trend']);
  var rows = byOpen(Array.from(found.values()));
  var search = make('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' });
  main.appendChild(make('div', { class: 'filters', role: 'search' }, make('label', { class: 'search', for: 'search' }, make('span', { text: 'Search' }), search)));
  var list = paged(KINDS[kind], function (some) {
    return linkTable(title, columns, some, function (row) {
      var without = clean.get(row.name);
      var cells = [link(nameWords(kind, row.name), kind, { name: row.name }), row.open, row.undecided, row.fresh, row.accepted, sinceWords(row.oldest)].concat(audit.unjudged.length > 0 ? [row.unjudged || 0] : []);
      if (kind === 'policy') cells.push(without === undefined ? '' : without.ready || plural(Number(without.days), 'day') + ', ' + plural(Number(without.audits), 'audit') + (without.complete ? '' : ', not everything was judged'));
      if (kind !== 'resource') cells.push(spark(seriesOf(kind, row.name)));
      return cells;
    });
  });
  main.appendChild(list.element);
  function update() {
    var words = search.value.toLowerCase();
    replaceAddress(KINDS[kind], { q: search.value });
    list.set(rows.filter(function (row) { return nameWords(kind, row.name).toLowerCase().indexOf(words) >= 0; }));
  }
  search.value = shown.params.get('q') || '';
  search.addEventListener('input', update);
  update();
}

function entityView(kind) {
  var name = shown.params.get('name') || '';
  heading(NAMES[kind] + ' ' + nameWords(kind, name));
  var row = tallies(kind).get(name) || { open: 0, undecided: 0, accepted: 0, fresh: 0, unjudged: 0 };
  main.appendChild(make('p', { text: row.open + ' open, ' + row.undecided + ' of them undecided, ' + row.fresh + ' new, ' + row.accepted + ' accepted' + (row.unjudged > 0 ? ', ' + row.unjudged + ' not judged again' : '') + (row.oldest === undefined ? '' : ', oldest since ' + sinceWords(row.oldest)) }));
  var values = seriesOf(kind, name);
  if (values !== undefined) main.appendChild(chart('Open findings of ' + nameWords(kind, name), audit.days, [{ name: 'open', values: values }], audit.conclusions));
  unjudgedTable(unjudgedOf(kind, name));
  findingList(params(kind, name));
}
function params(kind, name) { var made = {}; made[kind] = name; return made; }

function option(value, words, chosen) { return make('option', { value: value, text: words, selected: value === chosen ? '' : undefined }); }
/** The filtered list; 'fixed' filters belong to the view and have no control. */
function findingList(fixed) {
  var search = make('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' });
  var filters = make('div', { class: 'filters', role: 'search' }, make('label', { class: 'search', for: 'search' }, make('span', { text: 'Search' }), search));
  search.value = shown.params.get('q') || '';
  var selects = {};
  function select(key, label, options) {
    var box = make('select', { id: 'filter-' + key });
    options.forEach(function (each) { box.appendChild(option(each[0], each[1], shown.params.get(key) || '')); });
    box.addEventListener('change', update);
    selects[key] = box;
    filters.appendChild(make('label', { for: 'filter-' + key }, make('span', { text: label }), box));
  }
  Object.keys(KINDS).forEach(function (kind) {
    if (kind === 'resource' || fixed[kind] !== undefined) return;
    var names = byOpen(Array.from(tallies(kind).values())).slice(0, 1000);
    if (names.length > 1) select(kind, NAMES[kind], [['', 'all']].concat(names.map(function (row) { return [row.name === '' ? '-' : row.name, nameWords(kind, row.name)]; })));
  });
  select('level', 'Level', [['', 'all'], ['error', 'denied, errors'], ['warning', 'warned about'], ['notice', 'audited'], ['undecided', 'undecided']]);
  if (audit.from !== undefined) select('age', 'Age', [['', 'all'], ['new', 'new'], ['7', 'over 7 days'], ['30', 'over 30 days'], ['90', 'over 90 days']]);
  select('state', 'State', [['', 'open'], ['accepted', 'accepted'], ['all', 'all']]);
  main.appendChild(filters);
  var list = paged('entries', function (some) {
    var made = make('ol', { class: 'list' });
    some.forEach(function (index) {
      var fields = entries[index].read();
      if (fields.since !== undefined) fields.since = sinceWords(fields.since);
      made.appendChild(article(fields));
    });
    return made;
  });
  main.appendChild(list.element);
  function update() {
    var chosen = { q: search.value };
    Object.keys(selects).forEach(function (key) { chosen[key] = selects[key].value; });
    replaceAddress(shown.view, Object.assign({}, shown.view === 'findings' ? {} : { name: shown.params.get('name') || '' }, chosen));
    var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var oldest = /^[0-9]+$/.test(chosen.age || '') ? new Date(Date.parse(audit.today) - Number(chosen.age) * 86400000).toISOString().slice(0, 10) : undefined;
    list.set(order.filter(function (index) {
      var entry = entries[index];
      if (chosen.state === '' ? !entry.counts : chosen.state === 'accepted' && entry.counts) return false;
      if (chosen.level === 'undecided' ? !entry.isUndecided : chosen.level && (entry.isUndecided || entry.severity !== chosen.level)) return false;
      if (chosen.age === 'new' && !entry.isNew) return false;
      if (oldest !== undefined && !(entry.since < oldest)) return false;
      for (var kind in KINDS) {
        var name = fixed[kind] !== undefined ? fixed[kind] : chosen[kind] === '-' ? '' : chosen[kind];
        if (name !== undefined && (name !== '' || fixed[kind] !== undefined || chosen[kind] === '-') && entry[kind].indexOf(name) < 0) return false;
      }
      return words.every(function (word) { return entry.words.indexOf(word) >= 0; });
    }));
  }
  search.addEventListener('input', update);
  update();
  shown.list = list;
}

function coverageView() {
  heading('Coverage');
  var coverage = read(Object.assign({}, root.coverage, { skipped: [] }));
  main.appendChild(bullets([
    plural(Number(coverage.files), 'file') + ', ' + plural(Number(coverage.found), 'document') + ' found, ' + coverage.evaluated + ' evaluated, ' + (Number(coverage.found) - Number(coverage.evaluated)) + ' not evaluated',
  ].concat(coverage.extents, read(root.derived))));
  if (root.unknowns.length > 0) {
    main.appendChild(make('h3', { text: 'Unknowns' }));
    main.appendChild(bullets(read(root.unknowns)));
  }
  if (coverage.reasons.length > 0) main.appendChild(table('Why documents were not evaluated', ['documents', 'reason', 'meaning'], coverage.reasons, function (row) { return [row.count, row.reason, row.meaning]; }));
  if (root.coverage.skipped.length > 0) main.appendChild(pagedTable('documents', 'Documents that were not evaluated', ['place', 'reason', 'detail'], root.coverage.skipped.map(read), function (row) { return [row.at, row.reason, row.detail]; }));
}

var VIEWS = {
  overview: overview,
  findings: function () { heading('Findings'); findingList({}); },
  policies: function () { listView('policy'); },
  clusters: function () { listView('cluster'); },
  owners: function () { listView('owner'); },
  resources: function () { listView('resource'); },
  upgrades: function () { heading('Before the next upgrades'); if (root.upgrades) upgrades(main); },
  candidates: function () { heading('Candidate policies'); if (root.candidates) candidates(main); },
  coverage: coverageView,
  policy: function () { entityView('policy'); },
  cluster: function () { entityView('cluster'); },
  owner: function () { entityView('owner'); },
  resource: function () { entityView('resource'); },
};
var PARENTS = { policy: 'policies', cluster: 'clusters', owner: 'owners', resource: 'resources' };
['overview', 'findings', 'policies', 'clusters', 'owners', 'resources', 'upgrades', 'candidates', 'coverage'].forEach(function (view) {
  if (view === 'owners' && !audit.ownersKnown) return;
  if ((view === 'upgrades' || view === 'candidates') && !root[view]) return;
  links.appendChild(make('li', null, link(view.charAt(0).toUpperCase() + view.slice(1), view)));
});

/** Filters change the address without a new entry in the browser's history. */
function replaceAddress(view, params) {
  var text = address(view, params);
  if (location.hash !== text) history.replaceState(null, '', text);
}
function route(isFirst) {
  var text = location.hash.replace(/^#\\/?/, '');
  var mark = text.indexOf('?');
  var view = mark < 0 ? text : text.slice(0, mark);
  if (view === 'content') return;
  shown = { view: Object.prototype.hasOwnProperty.call(VIEWS, view) ? view : 'overview', params: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)) };
  main.textContent = '';
  VIEWS[shown.view]();
  var current = PARENTS[shown.view] || shown.view;
  Array.from(links.querySelectorAll('a')).forEach(function (each) {
    if (each.getAttribute('href') === '#/' + current) each.setAttribute('aria-current', 'page');
    else each.removeAttribute('aria-current');
  });
  if (isFirst) return;
  window.scrollTo(0, 0);
  var title = main.querySelector('h2');
  if (title) title.focus({ preventScroll: true });
}
window.addEventListener('hashchange', function () { route(false); });
route(true);

document.addEventListener('keydown', function (event) {
  var isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || '');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && isTyping) { event.target.blur(); return; }
  if (isTyping) return;
  var search = document.getElementById('search');
  if (event.key === '/' && search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    var all = Array.from(main.querySelectorAll('article'));
    var now = all.indexOf(document.activeElement && document.activeElement.closest('article'));
    var target = all[now < 0 ? 0 : now + (event.key === 'j' ? 1 : -1)];
    if (target) target.focus();
  }
});
})();
`;
