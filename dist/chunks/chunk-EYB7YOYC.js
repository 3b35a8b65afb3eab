import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{Sha256,UPGRADE_WORDS,acceptance,actionsLabel,additionWords,adviceOf,auditAnnotationWords,blastRadiusHeadline,changeHeadline,count,derivedTargets,fetchedExtent,isBadNews,isCounted,isUndecided,missingPart,mutatedAwayWords,operationPrefix,otherMessages,problemIdentities,releaseLines,resourceLabel,rootsNote,ruleName,settingsExtent,shortId,sourcesExtent,storedWords,subjectWords,targetsOf,unknownSentences,unlistedTotal,unmatched,validationExtent,verdictBy,whatIfLines,withoutVerdict}from"./chunk-KV27G2MN.js";import{sanitizeLine,sanitizeText}from"./chunk-HSIHQTVB.js";function textDigest(text,digits){return new Sha256().update(text).digest().slice(0,digits)}function reviewHeading(report){if(report.unusable!==void 0)return`nothing was checked, as \`${report.unusable}\` cannot be used`;if(report.verdict.conclusion==="nothing-checked")return`nothing was checked (${missingPart(report)})`;let{failOn,errors}=report.verdict,objects=objectWords(report),parts=[...objects,...errors>0?[`${count(errors,"error")}${objects.length===0?" in policies, configuration or manifests":""}`]:[],...missingWords(report,objects.length>0),...badNewsWords(report)],more=report.unlisted===void 0?0:unlistedTotal(report.unlisted);more>0&&parts.push(`${count(more,"finding")} more than a report lists`);let gate=failOn==="deny"?"":` (fail-on ${failOn})`;return`${report.verdict.conclusion==="undecided"?"undecided: ":""}${parts.length===0?admittedWords(report):parts.join(", ")}${gate}`}function extent({comparison,verdict}){return comparison!==void 0&&verdict.only==="new"?"change":"repository"}function objectWords(report){let{denied,warned,audited}=report.verdict,{evaluated}=report.coverage;return[{number:denied,first:"would be denied",next:"denied"},{number:warned,first:"would be admitted with a warning",next:"warned about"},{number:audited,first:"would be audited",next:"audited"}].filter(({number})=>number>0).map(({number,first,next},index)=>index>0?`${number} ${next}`:extent(report)==="change"?`${count(number,"object")} of this change ${first}`:`${report.comparison===void 0&&evaluated>number?`${number} of ${count(evaluated,"object")}`:count(number,"object")} ${first}`)}function missingWords(report,isNext){let{conclusion,undecided,open,notRendered,incomplete,unread}=report.verdict,of=extent(report)==="change"?" of this change":"";return[...[...undecided>0?[{number:undecided,words:conclusion==="undecided"&&!isNext?"":" undecided"}]:[],...open>0?[{number:open,words:" not judged by every policy"}]:[]].map(({number,words},index)=>isNext||index>0?`${number}${words}`:`${count(number,"object")}${of}${words}`),...notRendered>0?[`${count(notRendered,"root")} could not be rendered`]:[],...incomplete>0?[`${count(incomplete,"root")} ${incomplete===1?"is":"are"} incomplete`]:[],...unread>0?[`${count(unread,"file or document","files or documents")} could not be read`]:[],...withoutVerdict(report.repositories)]}function badNewsWords(report){let{blastRadius}=report;if(blastRadius===void 0||!isBadNews(report))return[];let{denied,warned,worse,open=0}=blastRadius,[number,one,several]=denied>0?[denied,"becomes denied","become denied"]:warned>0?[warned,"becomes warned about","become warned about"]:open>0?[open,"becomes undecided","become undecided"]:[worse,"gets new findings","get new findings"];return[`${count(number,"object")} ${number===1?one:several} once this is merged`]}function admittedWords(report){let{findings,diagnostics,coverage,comparison,verdict}=report,excused=[...findings,...diagnostics].filter(({excuse})=>excuse!==void 0).length,existing=findings.filter(each=>!isCounted(each,verdict)&&each.excuse===void 0).length,aside=[...existing>0?[`${count(existing,"existing finding")} not counted`]:[],...excused>0?[`${excused} accepted`]:[]],of=extent(report)==="change"?" of this change":"",{evaluated}=coverage;if(aside.length>0)return`nothing ${of===""?"":"new "}to report, ${aside.join(", ")}`;if(comparison!==void 0&&evaluated===0)return"no object is changed";let unmet=unmatched(report);return unmet!==""?`nothing to report for ${count(evaluated,"object")}${unmet}`:evaluated===1?`the object${of} would be admitted`:`all ${evaluated} objects${of} would be admitted`}function documentHead(title,style,script){return`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${["default-src 'none'",`script-src '${digestSource(script)}'`,`style-src '${digestSource(style)}'`,"base-uri 'none'","form-action 'none'","require-trusted-types-for 'script'","trusted-types 'none'"].join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
`}function digestSource(text){let bytes=textDigest(text,64).match(/../g)??[];return`sha256-${btoa(bytes.map(byte=>String.fromCharCode(Number.parseInt(byte,16))).join(""))}`}function escapeHtml(text){return sanitizeLine(text).replace(/[&<>"']/g,found=>`&#${found.charCodeAt(0)};`)}var MAX_KNOWN=1e3,KnownPart=class{isTold=!1;json;value;constructor(value){this.value=value}},KnownParts=class{#known=new Map;of(source,make){let known=this.#known.get(source);if(known!==void 0)return known;let part=new KnownPart(make(source));return this.#known.size===MAX_KNOWN&&this.#known.clear(),this.#known.set(source,part),part}},MappedList=class{items;constructor(items){this.items=items}};function mapped(items,make){return new MappedList(function*(){for(let item of items)yield make(item)})}var NumberedTexts=class{#numbers=new Map;*told(value){for(let item of Object.values(value))if(item instanceof MappedList)for(let each of item.items())yield this.#newTexts(each);else isObject(item)?yield*this.told(item):yield this.#newTexts(item)}*parts(value){let before="{";for(let[key,item]of Object.entries(value))item!==void 0&&(yield`${before}"${key}":`,before=",",item instanceof MappedList?yield*this.#partsOfList(item):isObject(item)?yield*this.parts(item):yield this.#json(item));yield before==="{"?"{}":"}"}*#partsOfList({items}){let before="[";for(let item of items())yield before+this.#json(item),before=",";yield before==="["?"[]":"]"}#newTexts(value){let before=this.#numbers.size,texts=[];return this.#collect(value,texts),texts.length===0?"":`${before===0?"":","}${texts.join()}`}#collect(value,texts){if(typeof value=="string"||typeof value=="number"){let text=String(value);if(this.#numbers.has(text))return;this.#numbers.set(text,this.#numbers.size),texts.push(harmless(JSON.stringify(sanitizeText(text))))}else if(value instanceof KnownPart){if(value.isTold)return;value.isTold=!0,this.#collect(value.value,texts)}else if(Array.isArray(value))for(let item of value)this.#collect(item,texts);else if(isObject(value))for(let item of Object.values(value))this.#collect(item,texts)}#json(value){if(typeof value=="string"||typeof value=="number")return String(this.#numbers.get(String(value)));if(value instanceof KnownPart)return value.json??=this.#json(value.value),value.json;if(Array.isArray(value))return`[${value.map(item=>this.#json(item)).join()}]`;if(!isObject(value))return String(value??null);let entries=[];for(let[key,item]of Object.entries(value))item!==void 0&&entries.push(`"${key}":${this.#json(item)}`);return`{${entries.join()}}`}};function isObject(value){return typeof value=="object"&&value!==null&&!Array.isArray(value)&&!(value instanceof KnownPart)}function harmless(json){return json.replace(/[<>&\u2028\u2029]/g,found=>`\\u${found.charCodeAt(0).toString(16).padStart(4,"0")}`)}function*pageJson(report,more={}){let texts=new NumberedTexts,known=new KnownParts,data={...shown(report,known),...more};yield'{"texts":[',yield*texts.told(data),yield'],"root":',yield*texts.parts(data),yield"}"}function shown(report,known){let{coverage,comparison,notCompared,blastRadius,verdict}=report;return{heading:reviewHeading(report).replaceAll("`",""),conclusion:verdict.conclusion,version:report.preadmit,only:verdict.only,findings:mapped(report.findings,finding=>findingEntry(finding,known)),problems:mapped(report.diagnostics,diagnostic=>problemEntry(diagnostic,known)),fixed:mapped(comparison?.fixed??[],finding=>findingEntry(finding,known)),comparison:comparison&&[`${shortId(comparison.base)} with ${shortId(comparison.head)}: ${changeHeadline(comparison)}`,verdictBy(comparison),...comparison.notices],notCompared,blast:blastRadius&&{heading:blastRadiusHeadline(blastRadius),causes:blastRadius.causes.map(({resource,change,path})=>`${resourceLabel(resource)} ${change} (${path})`),entries:blastRadius.entries.map(radiusEntry)},...auditParts(report),coverage:{files:coverage.files,found:coverage.found,evaluated:coverage.evaluated,extents:[sourcesExtent,fetchedExtent,validationExtent,settingsExtent].map(extent2=>extent2(report)).filter(words=>words!==""),reasons:coverage.notEvaluated.map(({reason,meaning,count:count2})=>({reason,meaning,count:count2})),skipped:mapped(coverage.skipped,({path,line,reason,detail})=>({at:line===void 0?path:`${path}:${line}`,reason,detail:detail??""}))},clusters:report.targets.map(({name,kubernetesVersion,user,evaluated,policies})=>({name,kubernetesVersion,user,evaluated,policies:policies.length})),derived:derivedTargets(report.targets),policies:report.targets.flatMap(({name:cluster,policies})=>policies.map(({kind,name,path,matched,denied,warned,audited,undecided=0})=>({cluster,kind,name,path,matched,denied,warned,audited,undecided}))),unknowns:unknownSentences(report),additions:report.targets.flatMap(({additions=[]})=>additions.map(additionWords)),auditAnnotations:report.targets.flatMap(target=>(target.auditAnnotations??[]).map(auditAnnotationWords)),mutatedAway:report.targets.flatMap(({mutatedAway=[]})=>mutatedAway.map(mutatedAwayWords))}}function auditParts({audit}){let{whatIf,upgrades}=audit??{};return{candidates:whatIf&&{heading:whatIf.blastRadius===void 0?"no difference":blastRadiusHeadline(whatIf.blastRadius),lines:whatIfLines(whatIf),entries:mapped(whatIf.blastRadius?.entries??[],radiusEntry)},upgrades:upgrades&&{lines:releaseLines(upgrades),actions:mapped(upgrades.actions,action=>({before:action.before,kind:UPGRADE_WORDS[action.kind],message:action.message,what:action.what,where:subjectWords(action),owners:(action.owners??[]).join(", ")}))}}}function radiusEntry(entry){return{object:resourceLabel(entry.resource),cluster:entry.target,before:entry.before,after:entry.after,by:entry.policies.join(", "),message:entry.message??"",stored:entry.fields===void 0?"":storedWords(entry.fields),at:placeLabel(entry.primary)}}function findingEntry(finding,known){let{policy,primary,mayBeChangedBy=[],excuse}=finding,field=finding.fieldPath===""?void 0:`${finding.fieldPath}${finding.defaulted===!0?" (by default)":""}`;return{...entryPlace(primary,known),severity:finding.severity,result:finding.result,status:finding.status,message:finding.message,object:`${operationPrefix(finding)}${resourceLabel(finding.resource)}`,clusters:targetsOf(finding),policy:policy.name,rule:`${policy.kind} ${policy.name}, ${ruleName(finding)}`,expression:finding.rule.expression,field,binding:finding.binding,param:finding.param&&resourceLabel(finding.param),server:finding.serverMessage===""?void 0:finding.serverMessage,actions:actionsLabel(finding),notes:[...finding.changedBy===void 0?[]:[`${finding.changedBy} changes this manifest before it is applied`],...mayBeChangedBy.length===0?[]:[`${mayBeChangedBy.join(" and ")} may change this object before policies see it`],...rootsNote(finding)===""?[]:[rootsNote(finding)],...otherMessages(finding)],related:known.of(finding.related,related=>related.map(relatedEntry)),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`,since:finding.since,owners:finding.owners,resource:resourceLabel(finding.resource),objects:finding.objects?.map(({target,resource})=>({cluster:target,resource:resourceLabel(resource)}))}}function problemEntry(diagnostic,known){let{primary,excuse}=diagnostic;return{...primary===void 0?{}:entryPlace(primary,known),severity:diagnostic.severity,status:diagnostic.status,message:diagnostic.message,code:diagnostic.code,object:diagnostic.resource&&resourceLabel(diagnostic.resource),help:adviceOf(diagnostic),related:known.of(diagnostic.related,related=>related.map(relatedEntry)),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`,since:diagnostic.since,owners:diagnostic.owners,undecided:isUndecided(diagnostic)?"yes":void 0,number:problemIdentities(diagnostic).length}}function entryPlace({path,startLine,endLine,excerpt},known){return{path,line:startLine,last:endLine,frame:excerpt&&known.of(excerpt,frame)}}function frame({firstLine,lines}){return{first:firstLine,lines}}function relatedEntry({message,place}){return{message,at:placeLabel(place),line:place.startLine,frame:place.excerpt&&frame(place.excerpt)}}function placeLabel({path,startLine}){return`${path}:${startLine}`}var PAGE_STYLE=`
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
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; } th { overflow-wrap: normal; } .scroll td:not(.number) { min-width: 6.5rem; overflow-wrap: anywhere; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .75rem 0; }
footer { padding-bottom: 2rem; margin-top: 2rem; }
@media (max-width: 30rem) { body { font-size: 14px; } .entry dl { grid-template-columns: 1fr; } .entry dd { margin-bottom: .25rem; } }
`;var PAGE_ELEMENTS=`
var SIZE = 50;
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
`;export{textDigest,reviewHeading,documentHead,escapeHtml,pageJson,PAGE_ELEMENTS,PAGE_STYLE};
