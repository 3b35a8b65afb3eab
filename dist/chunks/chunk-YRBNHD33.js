import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{MAX_LISTED,SEVERITY_RANK,Sha256,acceptance,acceptedItems,actionsLabel,additionWords,adviceOf,blastRadiusHeadline,bySeverity,changeHeadline,clusterAdditions,count,derivedTargets,firstLines,fixLines,inTurns,isBadNews,isElsewhere,isNews,jsonString,jsonText,missingPart,mutatedAway,mutatedAwayWords,objectKey,objectTally,openDiagnostics,openFindings,operationPrefix,resourceLabel,rootsNote,ruleId,ruleName,shortId,someOf,sourcesExtent,storedWords,stricterLead,suggestionWords,targetNote,targetsOf,text,unknownSentences,unlistedTotal,unmatched,validationExtent,verdictBy,verdictHeadline}from"./chunk-OYUPJBBQ.js";import{sanitizeLine,sanitizeText}from"./chunk-3IITAJGN.js";import{trimRight}from"./chunk-EPSFHPOB.js";function byteLength(text2){return new TextEncoder().encode(text2).length}function cutToBytes(text2,limit){if(text2.length<=limit&&byteLength(text2)<=limit)return text2;let mark="\u2026",{read}=new TextEncoder().encodeInto(text2,new Uint8Array(Math.max(0,limit-byteLength(mark))));return`${text2.slice(0,read)}${mark}`}var MAX_MESSAGE_BYTES=4e3,MAX_TITLE_BYTES=255;function encodeCommand({severity,title,message:words,place}){let isInFile=place!==void 0&&!isElsewhere(place),message2=place===void 0||isInFile?words:`${words}
at ${place.path}:${place.startLine}`,properties=[...isInFile?placeProperties(place):[],...title===void 0?[]:[`title=${property(cutToBytes(sanitizeText(title),MAX_TITLE_BYTES))}`]],space=properties.length===0?"":" ";return`::${severity}${space}${properties.join(",")}::${data(cutToBytes(sanitizeText(message2),MAX_MESSAGE_BYTES))}`}function placeProperties({path,startLine,startColumn,endLine,endColumn}){let file=`file=${property(sanitizeLine(path))}`;if(startLine!==endLine)return[file,`line=${startLine}`];let lastColumn=Math.max(startColumn,endColumn-1);return[file,`line=${startLine}`,`endLine=${endLine}`,`col=${startColumn}`,`endColumn=${lastColumn}`]}function data(text2){return text2.replaceAll("%","%25").replaceAll("\r","%0D").replaceAll(`
`,"%0A")}function property(text2){return data(text2).replaceAll(":","%3A").replaceAll(",","%2C")}var SHOWN_PER_LEVEL=10,github={name:"github",extension:"log",render:report=>{let commands=bySeverity(commandsOf(report));return`${[...commands.map(encodeCommand),...hidden(commands),sanitizeLine(verdictHeadline(report))].join(`
`)}
`}};function commandsOf(report){return[...openDiagnostics(report.diagnostics).map(({code,severity,message:message2,primary,...rest})=>({severity,title:code,message:[message2,...adviceOf(rest)===void 0?[]:[`help: ${adviceOf(rest)}`]].join(`
`),place:primary})),...openFindings(report.findings).map(({severity,policy,binding,actions,message:message2,resource,primary})=>{let bound=binding===void 0?"":` with binding ${binding}`;return{severity,title:`${resourceLabel(resource)}: ${policy.name}`,message:`${message2}
${actionsLabel({actions})} by ${policy.kind} ${policy.name}${bound}`,place:primary}})]}function hidden(commands){return["error","warning","notice"].flatMap(severity=>{let number=commands.filter(command=>command.severity===severity).length,all=count(number,`${severity} annotation`);return number>SHOWN_PER_LEVEL?[`${all}: GitHub shows ${SHOWN_PER_LEVEL} of a step, all are in this log`]:[]})}var SEVERITIES={error:"critical",warning:"minor",notice:"info"},gitlab={name:"gitlab",extension:"codequality.json",render:report=>jsonText(uniquelyNamed(issues(report)))};function issues(report){return[...openFindings(report.findings).map(finding=>({description:`${resourceLabel(finding.resource)}: ${finding.message}`,check_name:ruleId(finding),fingerprint:finding.fingerprint,severity:SEVERITIES[finding.severity],location:location(finding.primary)})),...openDiagnostics(report.diagnostics).flatMap(diagnostic=>diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?[]:{description:diagnostic.message,check_name:diagnostic.code,fingerprint:`${diagnostic.code}|${diagnostic.primary.path}|${diagnostic.message}`,severity:SEVERITIES[diagnostic.severity],location:location(diagnostic.primary)})]}function location(place){return{path:place.path,lines:{begin:place.startLine}}}function uniquelyNamed(list){let seen=new Map;return list.map(issue=>{let times=(seen.get(issue.fingerprint)??0)+1;return seen.set(issue.fingerprint,times),times===1?issue:{...issue,fingerprint:`${issue.fingerprint}|${times}`}})}function reviewHeading(report){if(report.unusable!==void 0)return`nothing was checked, as \`${report.unusable}\` cannot be used`;if(report.verdict.conclusion==="nothing-checked")return`nothing was checked (${missingPart(report)})`;let{failOn,errors}=report.verdict,objects=objectWords(report),parts=[...objects,...errors>0?[`${count(errors,"error")}${objects.length===0?" in policies, configuration or manifests":""}`]:[],...missingWords(report,objects.length>0),...badNewsWords(report)],more=report.unlisted===void 0?0:unlistedTotal(report.unlisted);more>0&&parts.push(`${count(more,"finding")} more than a report lists`);let gate=failOn==="deny"?"":` (fail-on ${failOn})`;return`${parts.length===0?admittedWords(report):parts.join(", ")}${gate}`}function extent({comparison,verdict}){return comparison!==void 0&&verdict.only==="new"?"change":"repository"}function objectWords(report){let{denied,warned,audited}=report.verdict,{evaluated}=report.coverage;return[{number:denied,first:"would be denied",next:"denied"},{number:warned,first:"would be admitted with a warning",next:"warned about"},{number:audited,first:"would be audited",next:"audited"}].filter(({number})=>number>0).map(({number,first,next},index)=>index>0?`${number} ${next}`:extent(report)==="change"?`${count(number,"object")} of this change ${first}`:`${report.comparison===void 0&&evaluated>number?`${number} of ${count(evaluated,"object")}`:count(number,"object")} ${first}`)}function missingWords(report,isNext){let{undecided,open,notRendered,unread}=report.verdict,of=extent(report)==="change"?" of this change":"";return[...[...undecided>0?[{number:undecided,words:"undecided"}]:[],...open>0?[{number:open,words:"not judged by every policy"}]:[]].map(({number,words},index)=>isNext||index>0?`${number} ${words}`:`${count(number,"object")}${of} ${words}`),...notRendered>0?[`${count(notRendered,"root")} could not be rendered`]:[],...unread>0?[`${count(unread,"file or document","files or documents")} could not be read`]:[]]}function badNewsWords(report){let{blastRadius}=report;if(blastRadius===void 0||!isBadNews(report))return[];let{denied,warned,worse,open=0}=blastRadius,[number,one,several]=denied>0?[denied,"becomes denied","become denied"]:warned>0?[warned,"becomes warned about","become warned about"]:open>0?[open,"becomes undecided","become undecided"]:[worse,"gets further findings","get further findings"];return[`${count(number,"object")} ${number===1?one:several} once this is merged`]}function admittedWords(report){let{findings,diagnostics,coverage,comparison,verdict}=report,excused=[...findings,...diagnostics].filter(({excuse})=>excuse!==void 0).length,existing2=findings.filter(each=>verdict.only==="new"&&!isNews(each)&&each.excuse===void 0).length,aside=[...existing2>0?[`${count(existing2,"existing finding")} not counted`]:[],...excused>0?[`${excused} accepted`]:[]],of=extent(report)==="change"?" of this change":"",{evaluated}=coverage;if(aside.length>0)return`nothing ${of===""?"":"new "}to report, ${aside.join(", ")}`;if(comparison!==void 0&&evaluated===0)return"no object is changed";let unmet=unmatched(report);return unmet!==""?`nothing to report of ${count(evaluated,"object")}${unmet}`:evaluated===1?`the object${of} would be admitted`:`all ${evaluated} objects${of} would be admitted`}function textDigest(text2,digits){return new Sha256().update(text2).digest().slice(0,digits)}function pageJson(report){return JSON.stringify(pageData(report)).replace(/[<>&\u2028\u2029]/g,found=>`\\u${found.charCodeAt(0).toString(16).padStart(4,"0")}`)}function pageData(report){let numbers=new Map,texts=[],numbered=value=>{if(typeof value=="string"){let known=numbers.get(value);return known!==void 0?known:(numbers.set(value,texts.length),texts.push(sanitizeText(value))-1)}return Array.isArray(value)?value.map(numbered):typeof value=="object"&&value!==null?Object.fromEntries(Object.entries(value).flatMap(([key,item])=>item===void 0?[]:[[key,numbered(item)]])):typeof value=="number"?numbered(String(value)):value},root=numbered(shown(report));return{texts,root}}function shown(report){let{coverage,comparison,notCompared,blastRadius,verdict}=report;return{heading:reviewHeading(report).replaceAll("`",""),conclusion:verdict.conclusion,version:report.preadmit,only:verdict.only,findings:report.findings.map(finding=>findingEntry(finding)),problems:report.diagnostics.map(problemEntry),fixed:(comparison?.fixed??[]).map(finding=>findingEntry(finding)),comparison:comparison&&[`${shortId(comparison.base)} with ${shortId(comparison.head)}: ${changeHeadline(comparison)}`,verdictBy(comparison),...comparison.notices],notCompared,blast:blastRadius&&{heading:blastRadiusHeadline(blastRadius),causes:blastRadius.causes.map(({resource,change,path})=>`${resourceLabel(resource)} ${change} (${path})`),entries:blastRadius.entries.map(entry=>({object:resourceLabel(entry.resource),cluster:entry.target,before:entry.before,after:entry.after,by:entry.policies.join(", "),message:entry.message??"",stored:entry.fields===void 0?"":storedWords(entry.fields),at:placeLabel(entry.primary)}))},coverage:{files:coverage.files,found:coverage.found,evaluated:coverage.evaluated,extents:[sourcesExtent(report),validationExtent(report)].filter(words=>words!==""),reasons:coverage.notEvaluated.map(({reason,meaning:meaning2,count:count2})=>({reason,meaning:meaning2,count:count2})),skipped:coverage.skipped.map(({path,line,reason,detail})=>({at:line===void 0?path:`${path}:${line}`,reason,detail:detail??""}))},clusters:report.targets.map(({name:name2,kubernetesVersion,user,evaluated,policies})=>({name:name2,kubernetesVersion,user,evaluated,policies:policies.length})),derived:derivedTargets(report.targets),policies:report.targets.flatMap(({name:cluster,policies})=>policies.map(({kind,name:name2,path,matched,denied,warned,audited})=>({cluster,kind,name:name2,path,matched,denied,warned,audited}))),unknowns:unknownSentences(report),additions:report.targets.flatMap(({additions=[]})=>additions.map(additionWords)),mutatedAway:report.targets.flatMap(({mutatedAway:mutatedAway2=[]})=>mutatedAway2.map(mutatedAwayWords))}}function findingEntry(finding){let{policy,primary,mayBeChangedBy=[],excuse}=finding,field=finding.fieldPath===""?void 0:`${finding.fieldPath}${finding.defaulted===!0?" (by default)":""}`;return{...entryPlace(primary),severity:finding.severity,result:finding.result,status:finding.status,message:finding.message,object:`${operationPrefix(finding)}${resourceLabel(finding.resource)}`,clusters:targetsOf(finding),policy:policy.name,rule:`${policy.kind} ${policy.name}, ${ruleName(finding)}`,expression:finding.rule.expression,field,binding:finding.binding,param:finding.param&&resourceLabel(finding.param),server:finding.serverMessage===""?void 0:finding.serverMessage,actions:actionsLabel(finding),notes:[...finding.changedBy===void 0?[]:[`${finding.changedBy} changes this manifest before it is applied`],...mayBeChangedBy.length===0?[]:[`${mayBeChangedBy.join(" and ")} may change this object before policies see it`],...rootsNote(finding)===""?[]:[rootsNote(finding)]],related:finding.related.map(relatedEntry),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`}}function problemEntry(diagnostic){let{primary,excuse}=diagnostic;return{...primary===void 0?{}:entryPlace(primary),severity:diagnostic.severity,status:diagnostic.status,message:diagnostic.message,code:diagnostic.code,object:diagnostic.resource&&resourceLabel(diagnostic.resource),help:adviceOf(diagnostic),related:diagnostic.related.map(relatedEntry),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`}}function entryPlace(place){return{path:place.path,line:place.startLine,last:place.endLine,frame:place.excerpt&&frame(place.excerpt)}}function frame({firstLine,lines}){return{first:firstLine,lines}}function relatedEntry({message:message2,place}){return{message:message2,at:placeLabel(place),line:place.startLine,frame:place.excerpt&&frame(place.excerpt)}}function placeLabel({path,startLine}){return`${path}:${startLine}`}var PAGE_SCRIPT=`
(function () {
'use strict';
var SIZE = 50;
var ACTIONS = { error: 'denied', warning: 'warned about', notice: 'audited' };
var LEVELS = { error: 'error', warning: 'warning', notice: 'notice' };
var data = JSON.parse(document.getElementById('report').textContent);

/** Numbers stand for texts; an object's texts are looked up when they are needed. */
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
/** Any number of rows, a page of them at a time. */
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

/** What is shown and looked for of all entries, the texts of which are read when they are. */
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
findings.appendChild(make('p', { class: 'muted', text: plural(root.findings.length, 'finding') + ', ' + plural(root.problems.length, 'problem') + ' of texts' }));

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
    return table('Objects that get another answer', ['object', 'before', 'after', 'by', 'says', 'place', 'cluster'], some.map(read), function (row) {
      return [row.object, row.before, row.after, row.by, row.message + (row.stored === '' ? '' : ' stored otherwise: ' + row.stored), row.at, row.cluster];
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
var checked = section('coverage', 'What was checked');
var coverage = read(Object.assign({}, root.coverage, { skipped: [] }));
checked.appendChild(bullets([
  plural(Number(coverage.files), 'file') + ', ' + plural(Number(coverage.found), 'document') + ' found, ' + coverage.evaluated + ' evaluated, ' +
    (Number(coverage.found) - Number(coverage.evaluated)) + ' not evaluated',
].concat(coverage.extents, read(root.derived), read(root.additions), read(root.mutatedAway))));
if (root.unknowns.length > 0) {
  checked.appendChild(make('h3', { text: 'What could not be known' }));
  checked.appendChild(bullets(read(root.unknowns)));
}
if (root.clusters.length > 0) checked.appendChild(table('Clusters', ['cluster', 'Kubernetes', 'user', 'objects', 'policies'], read(root.clusters), function (row) {
  return [row.name, row.kubernetesVersion, row.user, row.evaluated, row.policies];
}));
if (root.policies.length > 0) {
  var policies = paged('policies', function (some) {
    return table('Policies', ['policy', 'kind', 'cluster', 'requests', 'denied', 'warned', 'audited', 'file'], some.map(read), function (row) {
      return [row.name, row.kind, row.cluster, row.matched, row.denied, row.warned, row.audited, row.path];
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
`;var PAGE_STYLE=`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --muted: #59636e;
  --error: #b3121f; --warning: #7d4e00; --notice: #0550ae; --good: #116329; --mark: #fff0c2; --link: #0550ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --raised: #161b22; --line: #3d444d; --text: #e6edf3; --muted: #9da7b1;
    --error: #ff8f87; --warning: #e3b341; --notice: #79c0ff; --good: #56d364; --mark: #3a2f0b; --link: #79c0ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1.25rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
h1.denied { color: var(--error); } h1.allowed { color: var(--good); } h1.undecided, h1.nothing-checked { color: var(--warning); }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
pre .hit { background: var(--mark); }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0; }
.filters label { display: inline-flex; gap: .35rem; align-items: center; }
.filters label span { white-space: nowrap; }
.filters label.search { flex: 1 1 16rem; }
input, select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--muted); border-radius: 6px; padding: .3rem .6rem; }
input[type=search] { width: 100%; }
button { cursor: pointer; } button:disabled { color: var(--muted); cursor: default; }
button[aria-pressed=true] { background: var(--text); color: var(--ground); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.overview { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; }
.overview ul { list-style: none; margin: 0; padding: 0; }
.overview li button { width: 100%; display: flex; justify-content: space-between; gap: .5rem; text-align: left; border-color: transparent; }
.overview li button:hover { border-color: var(--line); }
.list { list-style: none; margin: 0; padding: 0; }
.entry { border: 1px solid var(--line); border-left: .35rem solid var(--muted); border-radius: 6px; margin: .5rem 0; padding: .6rem .8rem; }
.entry.error { border-left-color: var(--error); } .entry.warning { border-left-color: var(--warning); } .entry.notice { border-left-color: var(--notice); }
.entry .action { font-weight: 600; } .error .action { color: var(--error); } .warning .action { color: var(--warning); } .notice .action { color: var(--notice); }
.entry p { margin: .15rem 0; } .entry h3 { white-space: pre-line; }
.muted { color: var(--muted); }
.entry dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .15rem .75rem; margin: .5rem 0; } .entry dt { color: var(--muted); } .entry dd { margin: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .75rem 0; }
footer { padding-bottom: 2rem; margin-top: 2rem; }
@media (max-width: 30rem) { body { font-size: 14px; } .entry dl { grid-template-columns: 1fr; } .entry dd { margin-bottom: .25rem; } }
`;var html={name:"html",extension:"html",render:report=>page(report)};function page(report){let policy=["default-src 'none'",`script-src '${digestSource(PAGE_SCRIPT)}'`,`style-src '${digestSource(PAGE_STYLE)}'`,"base-uri 'none'","form-action 'none'","require-trusted-types-for 'script'","trusted-types 'none'"].join("; "),heading=`Admission policies: ${reviewHeading(report).replaceAll("`","")}`;return`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(heading)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">To the findings</a>
<header>
<h1 class="${report.verdict.conclusion}">${escapeHtml(heading)}</h1>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
</header>
<main id="content" tabindex="-1"><noscript><p>The findings are shown by a script in this file, which the browser was told not to run. The formats text and markdown need none.</p></noscript></main>
<footer class="muted"><p>Preadmit ${escapeHtml(report.preadmit)}. Keys: / to search, j and k from finding to finding, Escape to leave the search.</p></footer>
<script type="application/json" id="report">${pageJson(report)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`}function digestSource(text2){let bytes=textDigest(text2,64).match(/../g)??[];return`sha256-${btoa(bytes.map(byte=>String.fromCharCode(Number.parseInt(byte,16))).join(""))}`}function escapeHtml(text2){return sanitizeLine(text2).replace(/[&<>"']/g,found=>`&#${found.charCodeAt(0)};`)}var KEY_ORDER=["schemaVersion","preadmit","unusable","verdict","coverage","targets","policySources","findings","unlisted","diagnostics","comparison","notCompared","blastRadius","shard","conclusion","failOn","code","fingerprint","status","target","derivedFrom","severity","result","actions","policy","binding","param","rule","field","expression","message","serverMessage","reason","meaning","count","httpStatus","serverTells","operation","resource","fieldPath","changedBy","mayBeChangedBy","defaulted","roots","primary","role","place","related","help","excuse","by","owner","expires","apiVersion","kind","namespace","name","kubernetesVersion","user","path","line","detail","startLine","startColumn","endLine","endColumn","excerpt","firstLine","lines","lineHash","files","found","evaluated","notEvaluated","skipped","policies","unknowns","unknownKinds","bindings","matched","denied","warned","additions","mutatedAway","objects","examples","stricter","worse","stored","before","after","added","removed","audited","errors"],RANKS=new Map(KEY_ORDER.map((key,index)=>[key,index])),json={name:"json",extension:"json",render:report=>jsonText(report,inReadingOrder)};function inReadingOrder(keys){let rank=key=>RANKS.get(key)??KEY_ORDER.length;return[...keys].sort((left,right)=>rank(left)-rank(right)||(left<right?-1:1))}var NO_TIME="0.000";function uniquelyNamed2({cases,...suite}){let seen=new Map;return{...suite,cases:cases.map(each=>{let key=`${each.classname}\0${each.name}`,times=(seen.get(key)??0)+1;return seen.set(key,times),times===1?each:{...each,name:`${each.name} (${times})`}})}}function junitXml(written,time){let suites=written.map(uniquelyNamed2),all=suites.flatMap(({cases})=>cases);return['<?xml version="1.0" encoding="UTF-8"?>',`<testsuites${attributes({name:"preadmit",...totals(all),time})}>`,...suites.flatMap(({name:name2,cases,time:own=NO_TIME})=>[`  <testsuite${attributes({name:name2,...totals(cases),time:own})}>`,...cases.flatMap(testCase),"  </testsuite>"]),"</testsuites>",""].join(`
`)}function totals(cases){let number=element=>cases.filter(({outcome})=>outcome?.element===element).length,skipped2=number("skipped");return{tests:cases.length,failures:number("failure"),errors:number("error"),...skipped2>0&&{skipped:skipped2}}}function testCase({name:name2,classname,file,line,time=NO_TIME,outcome,output}){let start=`    <testcase${attributes({name:name2,classname,file,line,time})}`;return outcome===void 0&&output===void 0?[`${start}/>`]:[`${start}>`,...outcome===void 0?[]:[`      <${outcome.element}${attributes({message:outcome.message})}>${escaped(outcome.text)}</${outcome.element}>`],...output===void 0?[]:[`      <system-out>${escaped(output)}</system-out>`],"    </testcase>"]}function attributes(values){return Object.entries(values).map(([name2,value])=>value===void 0?"":` ${name2}="${escaped(String(value))}"`).join("")}var SPECIAL=/##\[|[&<>"'\n\r\t]/g,UNPRINTABLE=new RegExp("[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufffe\\uffff]|\\p{Surrogate}","gu");function escaped(text2){return text2.replace(UNPRINTABLE,character=>`\\u${character.charCodeAt(0).toString(16).padStart(4,"0")}`).replace(SPECIAL,match=>match==="##["?"##&#91;":`&#${match.charCodeAt(0)};`)}var junit={name:"junit",extension:"junit.xml",render:(report,{seconds=0})=>{let time=seconds.toFixed(3);return junitXml([runSuite(report,time),...policySuites(report)],time)}};function runSuite(report,time){let headline=verdictHeadline(report),checked=report.verdict.conclusion!=="nothing-checked",verdict={name:"something was checked",classname:"preadmit",time,output:headline,...checked?{}:{outcome:{element:"error",message:headline,text:headline}}};return{name:"preadmit",time,cases:[verdict,...openDiagnostics(report.diagnostics).map(diagnosticCase)]}}function diagnosticCase(diagnostic){let{code,severity,message:message2,primary}=diagnostic,help=adviceOf(diagnostic),where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],text2=[message2,...where,...help===void 0?[]:[`help: ${help}`]].join(`
`);return{name:message2,classname:code,...primary===void 0||isElsewhere(primary)?{}:{file:primary.path,line:primary.startLine},...severity==="error"?{outcome:{element:"error",message:message2,text:text2}}:{output:`${severity}: ${text2}`}}}function policySuites(report){let suites=new Map,suite=(target,policy)=>{let cases=suites.get(`${target}/${policy}`)??[];return suites.set(`${target}/${policy}`,cases),cases};for(let target of report.targets)for(let policy of target.policies)suite(target.name,policy.name);for(let finding of openFindings(report.findings))for(let target of targetsOf(finding))suite(target,finding.policy.name).push(findingCase(finding));for(let target of report.targets)for(let policy of target.policies){let cases=suite(target.name,policy.name);cases.length===0&&cases.push(passedCase(policy))}return Array.from(suites,([name2,cases])=>({name:name2,cases}))}function passedCase(policy){return{name:`nothing to report on ${count(policy.matched,"matched request")}`,classname:policy.name}}function findingCase(finding){let text2=`${`${finding.primary.path}:${finding.primary.startLine}:${finding.primary.startColumn}`}
${finding.serverMessage||finding.message}
${finding.rule.field}: ${finding.rule.expression??""}`;return{name:[resourceLabel(finding.resource),ruleName(finding),...finding.binding===void 0?[]:[`binding ${finding.binding}`],...finding.param===void 0?[]:[`param ${resourceLabel(finding.param)}`],...finding.fieldPath===""?[]:[`at ${finding.fieldPath}`]].join(" "),classname:finding.policy.name,file:finding.primary.path,line:finding.primary.startLine,...finding.severity==="error"?{outcome:{element:finding.result==="error"?"error":"failure",message:finding.message,text:text2}}:{output:`${finding.severity}: ${finding.message}
${text2}`}}}function fitBlock(block2,limit){let total=textsIn(block2),left=limit-byteLength(block2.head)-byteLength(block2.foot)-byteLength(block2.more(total)),body="",shown2=0;for(let item of block2.items){let fitted=typeof item=="string"?fitText(item,left):fitBlock(item,left);if(body+=fitted.text,left-=byteLength(fitted.text),shown2+=fitted.shown,fitted.shown<(typeof item=="string"?1:textsIn(item)))break}let more=shown2<total?block2.more(total-shown2):"";return body===""&&(more===""||left<0)?{text:"",shown:shown2}:{text:block2.head+body+more+block2.foot,shown:shown2}}function fitText(text2,limit){return byteLength(text2)<=limit?{text:text2,shown:1}:{text:"",shown:0}}function textsIn(block2){let{items,hidden:hidden2=0}=block2;return items.reduce((sum,item)=>sum+(typeof item=="string"?1:textsIn(item)),hidden2)}var ZERO_WIDTH_SPACE="\u200B";function escapeMarkdown(text2){return withoutReferences(sanitizeLine(text2)).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replace(/[\\`*_{}[\]()#+!|~$-]/g,"\\$&").replace(/^(\s*\d+)\./,"$1\\.")}function escapeHtmlText(text2){return withoutReferences(sanitizeLine(text2)).replace(/[&<>"'`*_[\]\\|~$]/g,found=>`&#${found.charCodeAt(0)};`)}function withoutReferences(line){return line.replace(/[@#](?=[A-Za-z0-9])|\bGH-(?=\d)|\b(?:https?|ftp|mailto|xmpp|www)(?=[:.])/gi,`$&${ZERO_WIDTH_SPACE}`)}var MAX_CODE_LINE=200;function codeBlock(lines,language){let shown2=lines.map(line=>sanitizeLine(line.length>MAX_CODE_LINE?`${line.slice(0,MAX_CODE_LINE)}\u2026`:line)),longest=shown2.join(`
`).match(/`+/g)?.reduce((most,run2)=>Math.max(most,run2.length),0)??0,fence="`".repeat(Math.max(3,longest+1));return`${fence}${language}
${shown2.join(`
`)}
${fence}
`}var ADDRESS=/\bhttps?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:\/[A-Za-z0-9._~:/?#!$&'*+,;=%-]*)?/g,MAX_ADDRESS=500,REFERENCE=/\/(?:issues|pulls?|discussions|commits?)\//;function messageMarkdown(text2){let line=sanitizeLine(text2),written="",end=0;for(let found of line.matchAll(ADDRESS)){let address=trimRight(found[0],".,;:!?'"),after=line[found.index+address.length]??"";address.length>MAX_ADDRESS||REFERENCE.test(`${address}/`)||after==="@"||(written+=`${escapeMarkdown(line.slice(end,found.index))}<${address}>`,end=found.index+address.length)}return written+escapeMarkdown(line.slice(end))}function codeSpan(text2){return span(sanitizeLine(text2).replaceAll("|","\\|"))}function untabledCodeSpan(text2){return span(sanitizeLine(text2))}function span(line){if(line.trim()==="")return"` `";let longest=(line.match(/`+/g)??[]).reduce((most,run2)=>Math.max(most,run2.length),0),fence="`".repeat(longest+1),padding=line.startsWith("`")||line.endsWith("`")?" ":"";return`${fence}${padding}${line}${padding}${fence}`}function fenced(language,lines){let runs=lines.flatMap(line=>line.match(/`+/g)??[]),fence="`".repeat(runs.reduce((most,run2)=>Math.max(most,run2.length+1),3));return[`${fence}${language}`,...lines,fence].map(line=>`${line}
`).join("")}function proseMarkdown(text2){let parts=text2.split("`"),isCode=index=>index%2===1;return parts.length%2===1&&parts.every((part,index)=>!isCode(index)||part.trim()!=="")?parts.map((part,index)=>isCode(index)?codeSpan(part):escapeMarkdown(part)).join(""):escapeMarkdown(text2)}var MAX_MESSAGE_BYTES2=1e3,MAX_NAME_BYTES=300,MAX_TITLE_BYTES2=200;function message(text2){return messageMarkdown(cutToBytes(text2,MAX_MESSAGE_BYTES2))}function prose(text2){return proseMarkdown(cutToBytes(text2,MAX_MESSAGE_BYTES2))}function paragraph(text2,write=messageMarkdown){return firstLines(cutToBytes(text2,MAX_MESSAGE_BYTES2)).map(write).join("<br>")}function boldParagraph(text2){let lines=firstLines(cutToBytes(text2,MAX_MESSAGE_BYTES2)).map(line=>messageMarkdown(line).trim()).filter(line=>line!=="");return lines.length===0?"**(no message)**":lines.map(line=>`**${line}**`).join("<br>")}function name(text2){return codeSpan(cutToBytes(text2,MAX_NAME_BYTES))}function expressionCode(text2){return untabledCodeSpan(cutToBytes(text2,MAX_NAME_BYTES))}function linkText(text2){return escapeMarkdown(cutToBytes(text2,MAX_NAME_BYTES))}function sentence(words){return words.slice(0,1).toUpperCase()+words.slice(1)}function htmlText(text2){return escapeHtmlText(cutToBytes(firstLines(text2)[0]??"",MAX_TITLE_BYTES2))}function htmlCode(text2){return`<code>${sanitizeLine(cutToBytes(text2,MAX_NAME_BYTES)).replace(/[&<>"]/g,found=>`&#${found.charCodeAt(0)};`)}</code>`}var MAX_URL_LENGTH=1e3;function lineLink(place,{blobUrl,lost}){return lost?.has(place)?`${name(place.path)} line ${place.startLine} of the merge commit`:linkTo(place,blobUrl)??`${name(place.path)} line ${place.startLine}`}function pathLink(path,startLine,{blobUrl}){return linkTo({path,startLine,startColumn:1,endLine:startLine,endColumn:1},blobUrl)??`${name(path)} line ${startLine}`}function findingLink({primary,operation},options){return operation!=="DELETE"?lineLink(primary,options):`${linkTo(primary,options.baseBlobUrl)??`${name(primary.path)} line ${primary.startLine}`} before the change`}function ruleLink(label,{related},role,report,options){let place=related.find(each=>each.role===role)?.place,from=report.comparison?.policiesFrom??"head",files=from==="base"?options.baseBlobUrl:options.blobUrl;if(place===void 0||from==="both"||options.lost?.has(place))return name(label);let url=urlOf(place,files);return url===void 0?name(label):`[${linkText(label)}](${url})`}function linkTo(place,files){let url=urlOf(place,files);return url===void 0?void 0:`[${linkText(`${place.path}:${place.startLine}`)}](${url})`}function urlOf(place,files){if(files===void 0||isElsewhere(place))return;let encoded=place.path.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD").split("/").map(encodeURIComponent).join("/"),url=`${files}/${encoded.replaceAll("(","%28").replaceAll(")","%29")}#L${place.startLine}`;return url.length>MAX_URL_LENGTH?void 0:url}function asides(report,options){return[[folded("Existing, so not counted",report.verdict.only==="new"?existing(report,options):[]),.2],[folded("Fixed by this change",(report.comparison?.fixed??[]).map(fixedFinding)),.2],[suggestions(report,options),.2],[folded("What the cluster adds",clusterAdditions(report).map(bullet)),.1],[folded("Findings that a policy mutates away",mutatedAway(report).map(bullet)),.1],[accepted(report,options),1]]}function folded(title,items){return{head:`<details><summary>${title} (${items.length})</summary>

`,items,foot:`
</details>

`,more:rest=>`- ${rest} more
`}}function suggestions({suggestions:all=[]},options){return{head:`<details><summary>What can be written instead (${all.length})</summary>

Mutating policies change these objects before the cluster stores them. Written like this, Git says what the cluster has.

`,items:all.map(suggestion2=>{let{fix}=suggestion2;return`${pathLink(fix.path,fix.line,options)} ${message(suggestionWords(suggestion2))}

${fenced("diff",fixLines(fix).map(sanitizeLine))}
`}),foot:`</details>

`,more:rest=>`${count(rest,"more suggestion")}
`}}function existing({diagnostics,findings},options){return[...openDiagnostics(diagnostics).filter(diagnostic=>!isNews(diagnostic)).map(diagnostic=>existingProblem(diagnostic,options)),...openFindings(findings.filter(finding=>!isNews(finding))).map(finding=>`- ${lineLink(finding.primary,options)} ${subject(finding)}
`)]}function fixedFinding(finding){return`- ${name(finding.primary.path)} line ${finding.primary.startLine} ${subject(finding)}
`}function subject({resource,message:words,policy}){return`${name(resourceLabel(resource))}: ${message(words)} (${name(policy.name)})`}function existingProblem({primary,message:words,code},options){return`- ${primary===void 0?"":`${lineLink(primary,options)} `}${prose(words)} (${name(code)})
`}function bullet(words){return`- ${message(words)}
`}function accepted(report,options){let excused=acceptedItems(report),by=kind=>excused.filter(({excuse})=>excuse.by===kind),[suppressed,exempted,known]=[by("annotation"),by("exception"),by("baseline")],fresh=suppressed.filter(({status})=>status==="new").length;return{head:`<details><summary>Accepted: ${[...suppressed.length===0?[]:[`${suppressed.length} by annotation${fresh===0?"":` (${fresh} new)`}`],...exempted.length===0?[]:[`${exempted.length} by exception`],...known.length===0?[]:[`${known.length} in the baseline`]].join(", ")}</summary>

`,items:[...suppressed,...exempted,...known].map(({subject:object,rule,excuse,status})=>`- ${status==="new"?"**new** ":""}${name(object)} ${name(rule)}<br>${message(acceptance(excuse))}<br><sub>${lineLink(excuse.place,options)}</sub>
`),foot:`
</details>

`,more:rest=>`- ${rest} more
`}}var MAX_CAUSES=5;function changedRules(report,options){let{blastRadius}=report;if(blastRadius===void 0)return{head:"",items:[],foot:"",more:()=>""};let{causes,entries}=blastRadius,warnings=stricterRules(report),named=causes.slice(0,MAX_CAUSES).map(cause=>{let warning=warnings.get(cause),where=warning?.primary===void 0?"":` in ${lineLink(warning.primary,options)}`,means=warning===void 0||causes.length===1?"":` (${meaning(cause,warning)})`;return`${name(resourceLabel(cause.resource))} ${cause.change}${where}${means}`}),more=causes.length>MAX_CAUSES?`, and ${causes.length-MAX_CAUSES} more`:"",advice=[...new Set([...warnings.values()].flatMap(({help})=>help===void 0?[]:[help]))],sentences=[`Once this is merged, because of ${named.join(", ")}${more}`,...advice.map(asSentence)],items=entries.map(entry=>changedAnswer(entry,options));return{head:`### Blast radius: ${blastRadiusHeadline(blastRadius)}

${sentences.join(". ")}.

`,items:items.length===0?[""]:items,foot:items.length===0?"":`
`,more:rest=>`- ${count(rest,"more object")}
`}}function stricterRules({blastRadius,diagnostics}){let{causes=[]}=blastRadius??{},open=openDiagnostics(diagnostics).filter(({code})=>code==="stricter-rule");return new Map(causes.slice(0,MAX_CAUSES).flatMap(cause=>{let lead=stricterLead(cause),[warning,...others]=open.filter(each=>each.message.startsWith(lead)),isOne=others.length===0&&causes.filter(other=>stricterLead(other)===lead).length===1;return warning!==void 0&&isOne?[[cause,warning]]:[]}))}function meaning(cause,warning){return prose(warning.message.slice(stricterLead(cause).length))}function asSentence(help){return sentence(prose(help))}function changedAnswer(entry,options){let{primary,resource,before,after,policies,message:words,fields}=entry,isStored=before===after&&words===void 0&&fields!==void 0,what=isStored?`${after}, but **stored otherwise**`:`${before} \u2192 **${after}**`,stored=fields===void 0?"":message(storedWords(fields)),why=isStored?stored:words===void 0?"":message(firstLines(words)[0]??""),by=[...policies.length===0?[]:[someOf(policies.map(name))],...why===""?[]:[why]].join(": ");return`- ${[`${what} ${name(resourceLabel(resource))} in ${lineLink(primary,options)}`,...by===""?[]:[by],...isStored||stored===""?[]:[`stored otherwise: ${stored}`]].join("<br>")}
`}function coverageSection(report,options){return{head:`<details><summary>${htmlText(`What was checked: ${summary(report,options)}`)}</summary>

`,items:[extents(report),policyTable(report),clusters(report),notEvaluated(report),...options.showSkipped===!0?[skipped(report)]:[]].filter(item=>typeof item=="string"?item!=="":item.items.length>0),foot:`</details>

`,more:rest=>`
${count(rest,"more line")}

`}}function unknowns(report){let sentences=unknownSentences(report);return{head:`<details${report.verdict.open>0?" open":""}><summary>What could not be known (${sentences.length})</summary>

`,items:sentences.map(words=>`- ${prose(words)}
`),foot:`
</details>

`,more:rest=>`- ${rest} more
`}}function summary(report,{baseName}){let{comparison,coverage}=report,policies=report.targets.flatMap(target=>target.policies),total=distinct(policies),applying=distinct(policies.filter(({matched})=>matched>0)),left=coverage.found-coverage.evaluated;return[comparison===void 0?evaluatedObjects(report):changedObjects(comparison),...total===0?[]:[`${applying} of ${count(total,"policy","policies")} ${total===1?"applies":"apply"}`],...left>0?[`${count(left,"document")} not evaluated`]:[],...comparison===void 0?[]:[rulesOf(comparison,baseName)]].join(", ")}function distinct(policies){return new Set(policies.map(({kind,name:own})=>`${kind}\0${own}`)).size}function evaluatedObjects({coverage:{evaluated}}){return evaluated===0?"no object":count(evaluated,"object")}function changedObjects({objects:{created,updated,deleted}}){let told=[[created,"created"],[updated,"updated"],[deleted,"deleted"]].filter(([number])=>number>0);return told.length===0?"no object changed":told.map(([number,word],index)=>`${index===0?count(number,"object"):number} ${word}`).join(", ")}function rulesOf({policiesFrom,base},baseName){return policiesFrom==="both"?"rules before and after the change":policiesFrom==="head"?"rules as the change leaves them":`rules of ${baseName===void 0?"":`${baseName} at `}${shortId(base)}`}function extents(report){let{coverage,comparison,unusable}=report;if(unusable!==void 0)return"";let{files,found,evaluated}=coverage;return`${[[...files>0?[count(files,"file")]:[],...found>0?[`${count(found,"document")} found`]:[],...evaluated>0?[`${evaluated} evaluated`]:[],...found>evaluated?[`${found-evaluated} not evaluated`]:[]].join(", "),...comparison===void 0?[]:[changeWords(comparison),verdictBy(comparison)],sourcesExtent(report),validationExtent(report)].filter(words=>words!=="").map(words=>`- ${prose(sentence(words))}
`).join("")}
`}function changeWords({changedFiles,objects,scope}){let told=["created","updated","deleted","unchanged"].filter(what=>objects[what]>0),where=scope==="repository"?"in the whole repository":"in these files",words=told.length===0?"none":told.map(what=>`${objects[what]} ${what}`).join(", ");return`${count(changedFiles.length,"file")} changed; objects ${where}: ${words}`}function policyTable(report){let several=report.targets.length>1,all=report.targets.flatMap(target=>target.policies.map(policy=>({policy,target:target.name}))),withFindings=all.filter(({policy})=>loudness(policy)<3),idle=all.filter(({policy})=>loudness(policy)===3&&policy.matched===0),silent=all.length-withFindings.length-idle.length,rest=[...silent>0?[`${count(silent,"policy","policies")} without a finding`]:[],...idle.length>0?[`${idle.length} matched nothing: ${someOf(idle.map(({policy})=>name(policy.name)))}`]:[]].join("; "),rows=withFindings.sort((left,right)=>loudness(left.policy)-loudness(right.policy)).map(({policy,target})=>policyRow(policy,several?target:void 0)),last=rest===""?"":`${sentence(rest)}.

`;return rows.length===0?{head:"",items:last===""?[]:[last],foot:"",more:()=>""}:{head:`| policy | findings${report.verdict.only==="new"?", existing ones too":""} |
|---|---|
`,items:rows,foot:`
${last}`,more:()=>""}}function loudness({denied,warned,audited}){return denied>0?0:warned>0?1:audited>0?2:3}function policyRow(policy,target){let where=target===void 0?"":`<br>on ${name(target)}`,said=["denied","warned","audited"].filter(action=>policy[action]>0).map(action=>`${policy[action]} ${action}`),requests=policy.matched===0?"":` in ${count(policy.matched,"request")}`;return`| ${name(policy.name)}${where} | ${said.join(", ")}${requests} |
`}function clusters({targets}){return{head:`Clusters, as the repository tells of them:

`,items:derivedTargets(targets).map(words=>`- ${prose(words)}
`),foot:`
`,more:()=>""}}function notEvaluated({coverage:{notEvaluated:reasons}}){return{head:`| not evaluated | reason | |
|--:|---|---|
`,items:reasons.map(({reason,meaning:meaning2,count:number})=>`| ${number} | ${name(reason)} | ${prose(meaning2)} |
`),foot:`
`,more:()=>""}}function skipped(report){return{head:`<details><summary>Each document not evaluated</summary>

`,items:report.coverage.skipped.map(({path,line:at,reason,detail})=>`- ${at===void 0?name(path):`${name(path)} line ${at}`}: ${name(reason)}${detail===void 0?"":`, ${message(detail)}`}
`),foot:`
</details>

`,more:()=>""}}var MARKS={error:"",warning:"\u26A0\uFE0F ",notice:"\u2139\uFE0F "},MAX_MARKED_LINE=100,MAX_EXPRESSION_LINES=8;function findingBlock(finding,report,options){return`${MARKS[finding.severity]}${boldParagraph(finding.message)}<br>
${objectLine(finding,options)}${actionNote(finding)}

${findingLines(finding)}${ruleParagraph(finding,report,options)}${notes(finding,report)}
`}function objectLine(finding,options){let subject2=`${operationPrefix(finding)}${name(resourceLabel(finding.resource))}`,field=fieldMark(finding)!==void 0||finding.fieldPath===""?"":`, ${name(finding.fieldPath)}${byDefault(finding)}`;return`${subject2} in ${findingLink(finding,options)}${field}`}function actionNote({severity,result:result2}){return result2==="unknown"||severity==="error"?"":severity==="warning"?" (warned about)":" (audited)"}function findingLines(finding){let{primary,fieldPath}=finding,{excerpt}=primary;if(excerpt===void 0||fieldPath==="")return"";let at=primary.startLine-excerpt.firstLine,decisive=excerpt.lines[at];if(decisive===void 0)return"";let before=excerpt.lines[at-1]??"",after=excerpt.lines[at+1]??"",mark=fieldMark(finding),lines=[...isTelling(before)?[before]:[],mark===void 0?decisive:`${decisive}  # \u2190 ${mark}`,...decisive.trimEnd().endsWith(":")&&isTelling(after)?[after]:[]],margin=lines.reduce((least,line)=>Math.min(least,line.length-line.trimStart().length),1/0);return`${codeBlock(lines.map(line=>line.slice(margin)),isYaml(primary)?"yaml":"")}
`}function isTelling(line){return line.trim()!==""&&!line.startsWith("---")&&!line.trimStart().startsWith("#")}function isYaml({path}){return/\.ya?ml$/i.test(path)}function fieldMark(finding){let{primary,fieldPath}=finding,line=primary.excerpt?.lines[primary.startLine-primary.excerpt.firstLine];if(line===void 0||fieldPath===""||!isYaml(primary))return;let mark=`${fieldPath}${byDefault(finding)}`;return line.length+mark.length>MAX_MARKED_LINE?void 0:mark}function byDefault({defaulted}){return defaulted===!0?" (by default)":""}function ruleParagraph(finding,report,options){let{policy,param,binding,rule}=finding,expression=rule.expression===void 0?[]:firstLines(rule.expression),subject2=`Rule ${ruleLink(policy.name,finding,"rule",report,options)}`,given=param===void 0?"":`, param ${ruleLink(resourceLabel(param),finding,"param",report,options)}`,bound=binding===void 0||!isOneOfSeveral(finding,report)?"":`, binding ${name(binding)}`;if(expression.length<2)return`${subject2}: ${expressionCode(expression[0]??ruleName(finding))}${given}${bound}
`;let shown2=expression.slice(0,MAX_EXPRESSION_LINES);return`${subject2}${given}${bound}:

${codeBlock(shown2.length<expression.length?[...shown2,"\u2026"]:shown2,"cel")}`}function isOneOfSeveral({policy},{targets}){return targets.some(({policies})=>policies.some(({kind,name:other,bindings})=>bindings>1&&other===policy.name&&kind===policy.kind))}function notes(finding,report){let{mayBeChangedBy=[]}=finding,words=[...mayBeChangedBy.length===0?[]:[`may be changed before by ${someOf(mayBeChangedBy.map(name))}`],...[rootsNote(finding),targetNote(finding,report)].filter(note=>note!=="").map(prose)];return words.length===0?"":`
<sub>${words.join(", ")}</sub>
`}var MAX_OPEN_FINDINGS=10,MAX_TITLE_LENGTH=150;function ruleGroups(findings,limit,report,options){let groups=listed(groupsOf(findings)).sort((one,other)=>weight(one)-weight(other)||other.all.length-one.all.length),tail=number=>number===0?"":`${count(number,"more finding")}; the JSON report has them all.

`,left=limit-byteLength(tail(findings.length)),written="",shown2=0,seen=0;for(let[index,group]of groups.entries()){let block2=groupBlock(group,index===0||seen<MAX_OPEN_FINDINGS,report,options),fitted=fitBlock(block2,left/(groups.length-index));seen+=group.all.length,fitted.shown!==0&&(written+=fitted.text,shown2+=fitted.shown,left-=byteLength(fitted.text))}return written+tail(findings.length-shown2)}function groupsOf(findings){let groups=new Map;for(let finding of findings){let key=ruleKey(finding),group=groups.get(key);group===void 0?groups.set(key,[finding]):group.push(finding)}return[...groups.values()]}function listed(groups){let left=MAX_LISTED;return[...groups].sort((one,other)=>one.length-other.length).map((all,index)=>{let number=Math.min(all.length,Math.floor(left/(groups.length-index)));if(left-=number,number===all.length)return{listed:all,all};let chosen=new Set(inTurns(all,objectKey).slice(0,number));return{listed:all.filter(finding=>chosen.has(finding)),all}}).filter(group=>group.listed.length>0)}function ruleKey({policy,rule}){return[policy.kind,policy.name,rule.field,rule.expression].join("\0")}function weight({all}){return all.reduce((least,{severity})=>Math.min(least,SEVERITY_RANK[severity]),SEVERITY_RANK.notice)}function groupBlock({listed:listed2,all},open,report,options){let[first]=listed2,isCommon=all.every(({message:message2})=>message2===first.message),isOneAction=all.every(({severity,result:result2})=>severity===first.severity&&result2===first.result),title=isCommon?`<b>${htmlText(first.message)}</b> \xB7 ${htmlCode(first.policy.name)}`:ruleTitle(first),isOneBinding=all.every(({binding,param})=>binding===first.binding&&param?.name===first.param?.name),item=finding=>{let words2=isCommon?"":`<br>${paragraph(finding.message)}`,action=isOneAction?"":actionNote(finding),by=isOneBinding?"":bindingNote(finding);return`- ${objectLine(finding,options)}${action}${words2}${by}${notes(finding,report).trimEnd().replace(`
`,"<br>")}
`},isWhole=firstLines(first.message).length===1&&first.message.length<=MAX_TITLE_LENGTH,words=isCommon&&!isWhole?`${paragraph(first.message)}

`:"",rule=ruleParagraph(isOneBinding?first:withoutBinding(first),report,options);return{head:`<details${open?" open":""}><summary>${title} \xB7 ${objectTally(all)}</summary>

${words}${rule}
${findingLines(first)}`,items:listed2.map(item),foot:`
</details>

`,more:()=>""}}function ruleTitle(finding){return`<b>${htmlCode(finding.policy.name)}</b> ${htmlCode(ruleName(finding))}`}function withoutBinding({binding:_binding,param:_param,...finding}){return finding}function bindingNote({binding,param}){let words=[...binding===void 0?[]:[binding],...param===void 0?[]:[firstLines(param.name)[0]??""]];return words.length===0?"":`<br><sub>${words.map(htmlCode).join(" ")}</sub>`}var MAX_SINGLE_FINDINGS=10;function findingsText(report,limit,title,options){let counted=countedFindings(report);if(counted.length===0)return"";let head=title?`### Findings

`:"";if(counted.length>MAX_SINGLE_FINDINGS){let tally=`${count(counted.length,"finding")} by rule:

`,text2=ruleGroups(counted,limit-byteLength(head)-byteLength(tally),report,options);return head+tally+text2}return fitBlock({head,items:bySeverity(counted).map(finding=>findingBlock(finding,report,options)),foot:"",more:left=>`${count(left,"more finding")}; the JSON report has them all.

`},limit).text}function countedFindings({findings,verdict}){return openFindings(findings).filter(each=>verdict.only!=="new"||isNews(each))}var PROJECT_NAME="Preadmit",PROJECT_URL="https://github.com/preadmit/preadmit";function codePage(code){return`${PROJECT_URL}/blob/main/docs/codes/${encodeURIComponent(code.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD"))}.md`}var EXCEPTIONS_URL=`${PROJECT_URL}/blob/main/docs/exceptions.md`;function footer(report,{runUrl,baseName,lastWords=[]}){let command=commandOf(report,baseName),isToAccept=countedFindings(report).length+openDiagnostics(report.diagnostics).length>0;return`<sub>${["Preadmit",...runUrl===void 0?[]:[`[workflow run](${runUrl})`],...isToAccept?[`[accept a finding for a time](${EXCEPTIONS_URL})`]:[],...command===void 0?[]:[`reproduce: ${name(command)}`],...lastWords].join(" \xB7 ")}</sub>
`}function commandOf({comparison,unusable},baseName){if(comparison===void 0)return unusable===void 0?"preadmit check":void 0;let base=baseName!==void 0&&isPlain(baseName)?baseName:shortId(comparison.base);if(!(base===comparison.base&&base!==baseName))return isPlain(base)?`preadmit diff ${base} HEAD`:void 0}function isPlain(word){return/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(word)}function problems(report,options){let toldElsewhere=new Set(stricterRules(report).values());return{head:`### Problems in policies, configuration and manifests

`,items:bySeverity(openDiagnostics(report.diagnostics)).filter(diagnostic=>report.verdict.only!=="new"||isNews(diagnostic)).filter(diagnostic=>!toldElsewhere.has(diagnostic)).map(diagnostic=>problem(diagnostic,options)),foot:`
`,more:rest=>`- ${rest} more
`}}function problem({code,severity,message:message2,primary,...rest},options){let where=primary===void 0?"":`<br>${lineLink(primary,options)}`,help=adviceOf(rest),advice=help===void 0?"":`<br>help: ${prose(help)}`;return`- **${severity}** ${paragraph(message2,prose)} (${name(code)})${where}${advice}
`}var JOB_SUMMARY_BYTES=1048576,MARKS2={allowed:"\u2705",denied:"\u274C",undecided:"\u26A0\uFE0F","nothing-checked":"\u26A0\uFE0F"},markdown={name:"markdown",extension:"md",render:(report,{showSkipped})=>renderMarkdown(report,{maxBytes:JOB_SUMMARY_BYTES,showSkipped})};function renderMarkdown(report,options){let{maxBytes,belowHeading=""}=options,head=`## ${headingLine(report)}

${belowHeading}`,foot=footer(report,options),left=maxBytes-byteLength(head)-byteLength(foot),section=(block2,share)=>{let{text:text2}=fitBlock(block2,Math.min(maxBytes*share,left));return left-=byteLength(text2),text2},change=section(notices(report),.1)+section(changedRules(report,options),.2),coverage=section(unknowns(report),.1)+section(coverageSection(report,options),.25),mistakes=section(problems(report,options),.15),hasTitle=change!==""||mistakes!=="",findings=findingsText(report,Math.min(maxBytes*.8,left),hasTitle,options);left-=byteLength(findings);let aside=asides(report,options).map(([block2,share])=>section(block2,share)).join("");return head+change+mistakes+findings+aside+coverage+foot}function headingLine(report){let{conclusion}=report.verdict;return`${conclusion==="allowed"&&isBadNews(report)?MARKS2["nothing-checked"]:MARKS2[conclusion]} Admission policies: ${prose(reviewHeading(report))}`}function notices({comparison,notCompared}){let sentences=[...comparison?.notices??[]];return notCompared!==void 0&&sentences.push(`The whole repository was checked, not the change: ${notCompared}`),{head:"",items:sentences.map(sentence2=>`- ${prose(sentence2)}
`),foot:`
`,more:rest=>`- ${rest} more
`}}var openreports={name:"openreports",extension:"openreports.yaml",render:report=>documents(report,{apiVersion:"openreports.io/v1alpha1",namespaced:"Report",cluster:"ClusterReport",sourceIn:"report"})},policyreport={name:"policyreport",extension:"policyreport.yaml",render:report=>documents(report,{apiVersion:"wgpolicyk8s.io/v1alpha2",namespaced:"PolicyReport",cluster:"ClusterPolicyReport",sourceIn:"results"})},SOURCE={source:"preadmit"};function documents(report,kinds){let groups=new Map,group=(target,namespace)=>{let key=JSON.stringify([target,namespace]),existing2=groups.get(key)??{target,namespace,results:[]};return groups.set(key,existing2),existing2};for(let target of report.targets){let{results}=group(target.name,void 0);for(let policy of target.policies){if(policy.denied+policy.warned+policy.audited>0)continue;let result2=policy.matched===0?"skip":"pass";results.push({policy:policy.name,result:result2,scored:!0,properties:{matched:String(policy.matched)}})}}for(let finding of openFindings(report.findings))for(let target of targetsOf(finding))group(target,finding.resource.namespace).results.push(findingResult(finding));let told=Array.from(groups.values()).filter(({results})=>results.length>0);return told.length===0?`# no policy was evaluated
`:told.map(each=>`---
${block(document(each,kinds),"")}`).join("")}function document({target,namespace,results},kinds){let summary2={pass:0,fail:0,warn:0,error:0,skip:0};for(let{result:result2}of results)summary2[result2]+=1;return{apiVersion:kinds.apiVersion,kind:namespace===void 0?kinds.cluster:kinds.namespaced,metadata:{name:objectName(target),...namespace===void 0?{}:{namespace},labels:{"app.kubernetes.io/managed-by":"preadmit"},annotations:{"preadmit/target":target}},...kinds.sourceIn==="report"?SOURCE:{},summary:summary2,results:kinds.sourceIn==="report"?results:results.map(result2=>({...SOURCE,...result2}))}}function findingResult(finding){let{resource,primary}=finding;return{policy:finding.policy.name,rule:ruleName(finding),result:finding.result==="error"?"error":finding.severity==="error"?"fail":"warn",severity:finding.severity==="error"?"high":finding.severity==="warning"?"medium":"low",scored:finding.severity==="error",message:finding.message,resources:[{apiVersion:resource.apiVersion,kind:resource.kind,...resource.namespace===void 0?{}:{namespace:resource.namespace},name:resource.name,...finding.fieldPath===""?{}:{fieldPath:finding.fieldPath}}],properties:{actions:finding.actions.join(","),...finding.binding===void 0?{}:{binding:finding.binding},operation:finding.operation,file:primary.path,line:String(primary.startLine),column:String(primary.startColumn)}}}function objectName(target){let name2=target.toLowerCase().replace(/[^a-z0-9]+/g,"-").slice(0,200);return trimRight(`preadmit-${name2}`,"-")}function block(value,indent){let text2="";for(let[key,item]of Object.entries(value))text2+=`${indent}${quoted(key)}:${nested(item,indent)}`;return text2}function nested(value,indent){if(Array.isArray(value)){if(value.length===0)return` []
`;let inner=`${indent}  `;return`
${value.map(item=>`${inner}- ${block(item,`${inner}  `).trimStart()}`).join("")}`}return typeof value=="object"&&value!==null?`
${block(value,`${indent}  `)}`:` ${typeof value=="string"?quoted(value):String(value)}
`}function quoted(text2){return/^[A-Za-z]+$/.test(text2)&&!/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text2)?text2:jsonString(text2)}var SEVERITIES2={error:"ERROR",warning:"WARNING",notice:"INFO"},rdjson={name:"rdjson",extension:"rdjson",render:report=>jsonText({source:{name:PROJECT_NAME,url:PROJECT_URL},diagnostics:diagnosticsOf(report)})};function diagnosticsOf(report){return[...openFindings(report.findings).map(finding=>({message:withPlaces(`${resourceLabel(finding.resource)}: ${finding.message}`,finding.related),location:location2(finding.primary),severity:SEVERITIES2[finding.severity],code:{value:ruleId(finding),url:codePage(finding.code)},related_locations:relatedLocations(finding.related)})),...openDiagnostics(report.diagnostics).map(diagnostic=>({message:withAdvice(diagnostic),...diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?{}:{location:location2(diagnostic.primary)},severity:SEVERITIES2[diagnostic.severity],code:{value:diagnostic.code,url:codePage(diagnostic.code)},...diagnostic.fix===void 0?{}:{suggestions:[suggestion(diagnostic.fix)]},related_locations:relatedLocations(diagnostic.related)}))]}function withAdvice(diagnostic){let advice=adviceOf(diagnostic),{message:message2,primary,related}=diagnostic,where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],lines=[message2,...where,...advice===void 0?[]:[`help: ${advice}`]];return withPlaces(lines.join(`
`),related)}function withPlaces(message2,related){let elsewhere2=related.filter(({place})=>isElsewhere(place));return[message2,...elsewhere2.map(each=>`${each.message}: ${each.place.path}:${each.place.startLine}`)].join(`
`)}function relatedLocations(related){return related.filter(({place})=>!isElsewhere(place)).map(({message:message2,place})=>({message:message2,location:location2(place)}))}function location2(place){let start=byteColumn(place,place.startLine,place.startColumn),end=byteColumn(place,place.endLine,place.endColumn),columns=start!==void 0&&end!==void 0;return{path:place.path,range:{start:{line:place.startLine,...columns?{column:start}:{}},end:{line:place.endLine,...columns?{column:end}:{}}}}}function suggestion({line,before,after}){let text2=after.join(`
`);return before.length>0?{range:{start:{line},end:{line:line+before.length-1}},text:text2}:{range:{start:{line,column:1},end:{line,column:1}},text:`${text2}
`}}function byteColumn(place,line,column){let text2=place.excerpt?.lines[line-place.excerpt.firstLine];if(text2===void 0)return;let codePoints=Array.from(text2);if(!(column-1>codePoints.length))return new TextEncoder().encode(codePoints.slice(0,column-1).join("")).length+1}var MAX_RESULTS=25e3,MAX_DESCRIPTION=1024,LEVELS={error:"error",warning:"warning",notice:"note"},PROBLEM_SEVERITIES={error:"error",warning:"warning",notice:"recommendation"},sarif={name:"sarif",extension:"sarif",render:report=>jsonText({$schema:"https://json.schemastore.org/sarif-2.1.0.json",version:"2.1.0",runs:[run(report)]})};function run(report){let subjects=bySeverity([...openFindings(report.findings).map(ofFinding),...openDiagnostics(report.diagnostics).flatMap(diagnostic=>isInRepository(diagnostic.primary)?[ofDiagnostic(diagnostic,diagnostic.primary)]:[])]),shown2=subjects.slice(0,MAX_RESULTS),rules=new Map;for(let{rule}of shown2)rules.has(rule.id)||rules.set(rule.id,{rule,index:rules.size});return{tool:{driver:{name:PROJECT_NAME,informationUri:PROJECT_URL,semanticVersion:report.preadmit,rules:Array.from(rules.values(),({rule})=>rule)}},invocations:[{executionSuccessful:!0,toolExecutionNotifications:notifications(report,subjects.length-shown2.length)}],columnKind:"unicodeCodePoints",results:withOwnHashes(shown2).map(subject2=>result(subject2,rules.get(subject2.rule.id)?.index??0))}}function withOwnHashes(subjects){let keyOf=({rule,primary})=>JSON.stringify([rule.id,primary.path,primary.lineHash]),first=new Map;for(let subject2 of subjects){let{fingerprint}=subject2,known=first.get(keyOf(subject2));fingerprint!==void 0&&(known===void 0||fingerprint<known)&&first.set(keyOf(subject2),fingerprint)}return subjects.map(subject2=>{let{primary,fingerprint}=subject2;if(fingerprint===void 0||first.get(keyOf(subject2))===fingerprint||primary.lineHash===void 0)return subject2;let[hash=""]=primary.lineHash.split(":"),own=textDigest(`${hash}\0${fingerprint}`,hash.length);return{...subject2,primary:{...primary,lineHash:`${own}:1`}}})}function ofFinding(finding){return{severity:finding.severity,rule:policyRule(finding),message:`${resourceLabel(finding.resource)}: ${finding.message}`,primary:finding.primary,related:finding.related,fingerprint:finding.fingerprint,logicalName:finding.fieldPath===""?void 0:finding.fieldPath,properties:{target:finding.target,targets:finding.targets,operation:finding.operation,actions:finding.actions,binding:finding.binding,rule:ruleId(finding),serverMessage:finding.serverMessage}}}function ofDiagnostic(diagnostic,primary){let advice=adviceOf(diagnostic);return{severity:diagnostic.severity,rule:diagnosticRule(diagnostic),message:advice===void 0?diagnostic.message:`${diagnostic.message}
${advice}`,primary,related:diagnostic.related,fingerprint:void 0,logicalName:void 0,fix:diagnostic.fix}}function policyRule(finding){let id=sarifRuleId(finding),description=`${finding.policy.kind} ${finding.policy.name}, ${finding.rule.field}`,expression=finding.rule.expression??"";return{id,...described(description,finding.severity),help:{text:[description,expression,`What ${finding.code} means: ${codePage(finding.code)}`].filter(Boolean).join(`

`)}}}function sarifRuleId(finding){let{expression}=finding.rule;if(expression===void 0)return ruleId(finding);let digest=textDigest(expression.trim(),8);return`${finding.policy.name}/${ruleName(finding).replace(/\[\d+\]/g,"")}-${digest}`}function diagnosticRule(diagnostic){return{id:diagnostic.code,...described(`Preadmit diagnostic ${diagnostic.code}`,diagnostic.severity),help:{text:`What ${diagnostic.code} means: ${codePage(diagnostic.code)}`}}}function described(description,severity){let text2=description.slice(0,MAX_DESCRIPTION);return{shortDescription:{text:text2},fullDescription:{text:text2},defaultConfiguration:{level:LEVELS[severity]},properties:{tags:["kubernetes","admission-policy"],precision:"very-high","problem.severity":PROBLEM_SEVERITIES[severity]}}}function result(subject2,ruleIndex){let{primary,fingerprint}=subject2,related=subject2.related.filter(({place})=>isInRepository(place));return{ruleId:subject2.rule.id,ruleIndex,level:LEVELS[subject2.severity],message:{text:plain([subject2.message,...elsewhere(subject2.related)].join(`
`))},locations:[{physicalLocation:physicalLocation(primary),...subject2.logicalName===void 0?{}:{logicalLocations:[{fullyQualifiedName:subject2.logicalName,kind:"member"}]}}],...related.length===0?{}:{relatedLocations:relatedLocations2(related)},partialFingerprints:{...primary.lineHash===void 0?{}:{primaryLocationLineHash:primary.lineHash},...fingerprint===void 0?{}:{"preadmit/v1":fingerprint}},...subject2.fix===void 0?{}:{fixes:[fixOf(subject2.fix)]},properties:subject2.properties}}function fixOf({path,line,before,after}){let last=before.at(-1),isWhole=after.length===0||last===void 0,end=isWhole?{endLine:line+before.length,endColumn:1}:{endLine:line+before.length-1,endColumn:Array.from(last).length+1},text2=after.join(`
`)+(isWhole&&after.length>0?`
`:"");return{description:{text:"Write it as mutating policies make it."},artifactChanges:[{artifactLocation:{uri:uri(path),uriBaseId:"%SRCROOT%"},replacements:[{deletedRegion:{startLine:line,startColumn:1,...end},insertedContent:{text:text2}}]}]}}function elsewhere(related){return related.filter(({place})=>!isInRepository(place)).map(({message:message2,place})=>`${message2}: ${place.path}:${place.startLine}`)}function isInRepository(place){return place!==void 0&&!isElsewhere(place)}function relatedLocations2(related){return related.map(({message:message2,place},index)=>({id:index+1,message:{text:plain(message2)},physicalLocation:physicalLocation(place)}))}function physicalLocation(place){return{artifactLocation:{uri:uri(place.path),uriBaseId:"%SRCROOT%"},region:region(place)}}function region(place){let{startLine,startColumn}=place,endColumn=place.endLine===startLine?place.endColumn:endOfLine(place);return{startLine,startColumn,endLine:startLine,endColumn:Math.max(endColumn,startColumn)}}function endOfLine(place){let text2=place.excerpt?.lines[place.startLine-place.excerpt.firstLine];return text2===void 0?place.startColumn+1:Array.from(text2).length+1}function uri(path){return path.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD").split("/").map(encodeURIComponent).join("/")}function plain(text2){return text2===""?"(no message)":text2.replaceAll("](","]\u200B(")}function notifications(report,cut){return[...report.diagnostics.filter(({primary})=>!isInRepository(primary)).map(({code,severity,message:message2,primary})=>({descriptor:{id:code},level:LEVELS[severity],message:{text:plain(primary===void 0?message2:`${message2}
at ${primary.path}:${primary.startLine}`)}})),...cut>0?[{level:"warning",message:{text:`${count(cut,"result")} more did not fit; the json format has all`}}]:[]]}var BY_NAME={text,json,github,markdown,html,sarif,junit,rdjson,gitlab,openreports,policyreport},reporters=new Map(Object.entries(BY_NAME));export{escapeMarkdown,codeSpan,fenced,byteLength,cutToBytes,encodeCommand,github,reviewHeading,textDigest,junitXml,renderMarkdown,headingLine,reporters};
