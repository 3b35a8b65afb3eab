import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{junitXml}from"./chunk-3GJHUKTR.js";import{PROJECT_NAME,PROJECT_URL,codePage,github,markdown}from"./chunk-TH7MDVZT.js";import{PAGE_ELEMENTS,PAGE_STYLE,documentHead,escapeHtml,pageJson,reviewHeading,textDigest}from"./chunk-EYB7YOYC.js";import{acceptance,acceptedItems,adviceOf,bySeverity,count,failsUndecided,gathered,isElsewhere,isUndecided,jsonPieces,jsonString,openDiagnostics,openFindings,openPolicies,reporterOf,resourceLabel,ruleId,ruleName,separated,severityIn,targetsOf,verdictHeadline}from"./chunk-KV27G2MN.js";import{trimRight}from"./chunk-KI2L4NWG.js";import{__export}from"./chunk-XQM4SLIR.js";var formats_exports={};__export(formats_exports,{seldomReporter:()=>seldomReporter});var SEVERITIES={error:"critical",warning:"minor",notice:"info"},gitlab=reporterOf({name:"gitlab",extension:"codequality.json",pieces:report=>jsonPieces(uniquelyNamed(issues(report)))});function issues(report){return[...openFindings(report.findings).map(finding=>({description:`${resourceLabel(finding.resource)}: ${finding.message}`,check_name:ruleId(finding),fingerprint:finding.fingerprint,severity:SEVERITIES[severityIn(finding,report)],location:location(finding.primary)})),...openDiagnostics(report.diagnostics).flatMap(diagnostic=>diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?[]:{description:diagnostic.message,check_name:diagnostic.code,fingerprint:`${diagnostic.code}|${diagnostic.primary.path}|${diagnostic.message}`,severity:SEVERITIES[severityIn(diagnostic,report)],location:location(diagnostic.primary)})]}function location(place){return{path:place.path,lines:{begin:place.startLine}}}function uniquelyNamed(list){let seen=new Map;return list.map(issue=>{let times=(seen.get(issue.fingerprint)??0)+1;return seen.set(issue.fingerprint,times),times===1?issue:{...issue,fingerprint:`${issue.fingerprint}|${times}`}})}var SEVERITIES2={error:"ERROR",warning:"WARNING",notice:"INFO"},rdjson=reporterOf({name:"rdjson",extension:"rdjson",pieces:report=>jsonPieces({source:{name:PROJECT_NAME,url:PROJECT_URL},diagnostics:diagnosticsOf(report)})});function diagnosticsOf(report){return[...openFindings(report.findings).map(finding=>({message:withPlaces(`${resourceLabel(finding.resource)}: ${finding.message}`,finding.related),location:location2(finding.primary),severity:SEVERITIES2[severityIn(finding,report)],code:{value:ruleId(finding),url:codePage(finding.code)},related_locations:relatedLocations(finding.related)})),...openDiagnostics(report.diagnostics).map(diagnostic=>({message:withAdvice(diagnostic),...diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?{}:{location:location2(diagnostic.primary)},severity:SEVERITIES2[severityIn(diagnostic,report)],code:{value:diagnostic.code,url:codePage(diagnostic.code)},...diagnostic.fix===void 0?{}:{suggestions:[suggestion(diagnostic.fix)]},related_locations:relatedLocations(diagnostic.related)}))]}function withAdvice(diagnostic){let advice=adviceOf(diagnostic),{message,primary,related}=diagnostic,where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],lines=[message,...where,...advice===void 0?[]:[`help: ${advice}`]];return withPlaces(lines.join(`
`),related)}function withPlaces(message,related){let elsewhere=related.filter(({place})=>isElsewhere(place));return[message,...elsewhere.map(each=>`${each.message}: ${each.place.path}:${each.place.startLine}`)].join(`
`)}function relatedLocations(related){return related.filter(({place})=>!isElsewhere(place)).map(({message,place})=>({message,location:location2(place)}))}function location2(place){let start=byteColumn(place,place.startLine,place.startColumn),end=byteColumn(place,place.endLine,place.endColumn),columns=start!==void 0&&end!==void 0;return{path:place.path,range:{start:{line:place.startLine,...columns?{column:start}:{}},end:{line:place.endLine,...columns?{column:end}:{}}}}}function suggestion({line,before,after}){let text=after.join(`
`);return before.length>0?{range:{start:{line},end:{line:line+before.length-1}},text}:{range:{start:{line,column:1},end:{line,column:1}},text:`${text}
`}}function byteColumn(place,line,column){let text=place.excerpt?.lines[line-place.excerpt.firstLine];if(text===void 0)return;let codePoints=Array.from(text);if(!(column-1>codePoints.length))return new TextEncoder().encode(codePoints.slice(0,column-1).join("")).length+1}var MAX_RESULTS=25e3,MAX_RELATED=1e3,MAX_DESCRIPTION=1024,LEVELS={error:"error",warning:"warning",notice:"note"},PROBLEM_SEVERITIES={error:"error",warning:"warning",notice:"recommendation"},sarif=reporterOf({name:"sarif",extension:"sarif",pieces:report=>jsonPieces({$schema:"https://json.schemastore.org/sarif-2.1.0.json",version:"2.1.0",runs:[run(report)]},{recurring:new Set(["actions","relatedLocations"])})});function run(report){let subjects=bySeverity([...openFindings(report.findings),...openDiagnostics(report.diagnostics).filter(isPlaced)]),shown=subjects.slice(0,MAX_RESULTS),rules=new Rules,results=shown.map(subject=>({subject,...rules.ruleOf(subject)}));return{tool:{driver:{name:PROJECT_NAME,informationUri:PROJECT_URL,semanticVersion:report.preadmit,rules:rules.list}},invocations:[{executionSuccessful:!isIncomplete(report),toolExecutionNotifications:notifications(report,subjects.length-shown.length)}],columnKind:"unicodeCodePoints",results:written(results)}}function*written(results){let hashes=lineHashes(results),places=new RelatedParts;for(let[index,each]of results.entries())yield result(each,hashes[index],places)}function lineHashes(results){let keyOf=({ruleIndex,subject:{primary}})=>`${ruleIndex} ${primary.lineHash} ${primary.path}`,first=new Map;for(let each of results){let fingerprint=fingerprintOf(each.subject),key=keyOf(each),known=first.get(key);fingerprint!==void 0&&(known===void 0||fingerprint<known)&&first.set(key,fingerprint)}return results.map(each=>{let{lineHash}=each.subject.primary,fingerprint=fingerprintOf(each.subject);if(fingerprint===void 0||first.get(keyOf(each))===fingerprint||lineHash===void 0)return lineHash;let[hash=""]=lineHash.split(":");return`${textDigest(`${hash}\0${fingerprint}`,hash.length)}:1`})}function isFinding(subject){return"fingerprint"in subject}function fingerprintOf(subject){return isFinding(subject)?subject.fingerprint:void 0}function tellingOf(subject){return isFinding(subject)?tellingOfFinding(subject):tellingOfDiagnostic(subject)}function tellingOfFinding(finding){return{message:`${resourceLabel(finding.resource)}: ${finding.message}`,fingerprint:finding.fingerprint,logicalName:finding.fieldPath===""?void 0:finding.fieldPath,properties:{target:finding.target,targets:finding.targets,operation:finding.operation,actions:finding.actions,binding:finding.binding,rule:ruleId(finding),serverMessage:finding.serverMessage}}}function tellingOfDiagnostic(diagnostic){let advice=adviceOf(diagnostic);return{message:advice===void 0?diagnostic.message:`${diagnostic.message}
${advice}`,fingerprint:void 0,logicalName:void 0,fix:diagnostic.fix}}var Rules=class{list=[];#numbers=new Map;#digests=new Map;ruleOf(subject){let id=isFinding(subject)?this.#idOf(subject):subject.code,index=this.#numbers.get(id);return index===void 0&&(index=this.list.length,this.#numbers.set(id,index),this.list.push(isFinding(subject)?policyRule(id,subject):diagnosticRule(subject))),{ruleId:this.list[index].id,ruleIndex:index}}#idOf(finding){let{expression}=finding.rule;if(expression===void 0)return ruleId(finding);let digest=this.#digests.get(expression);return digest===void 0&&(digest=textDigest(expression.trim(),8),this.#digests.set(expression,digest)),`${finding.policy.name}/${ruleName(finding).replace(/\[\d+\]/g,"")}-${digest}`}};function policyRule(id,finding){let description=`${finding.policy.kind} ${finding.policy.name}, ${finding.rule.field}`,expression=finding.rule.expression??"";return{id,...described(description,finding.severity),help:{text:[description,expression,`What ${finding.code} means: ${codePage(finding.code)}`].filter(Boolean).join(`

`)}}}function diagnosticRule(diagnostic){return{id:diagnostic.code,...described(`Preadmit diagnostic ${diagnostic.code}`,diagnostic.severity),help:{text:`What ${diagnostic.code} means: ${codePage(diagnostic.code)}`}}}function described(description,severity){let text=description.slice(0,MAX_DESCRIPTION);return{shortDescription:{text},fullDescription:{text},defaultConfiguration:{level:LEVELS[severity]},properties:{tags:["kubernetes","admission-policy"],precision:"very-high","problem.severity":PROBLEM_SEVERITIES[severity]}}}function result({subject,ruleId:id,ruleIndex},lineHash,places){let{message,fingerprint,logicalName,fix,properties}=tellingOf(subject),{elsewhere,relatedLocations:relatedLocations3}=places.of(subject.related);return{ruleId:id,ruleIndex,...isUndecided(subject)?{kind:"open",level:"warning"}:{level:LEVELS[subject.severity]},message:{text:plain([message,...elsewhere].join(`
`))},locations:[{physicalLocation:physicalLocation(subject.primary),...logicalName===void 0?{}:{logicalLocations:[{fullyQualifiedName:logicalName,kind:"member"}]}}],...relatedLocations3.length===0?{}:{relatedLocations:relatedLocations3},partialFingerprints:{...lineHash===void 0?{}:{primaryLocationLineHash:lineHash},...fingerprint===void 0?{}:{"preadmit/v1":fingerprint}},...fix===void 0?{}:{fixes:[fixOf(fix)]},properties}}function fixOf({path,line,before,after}){let last=before.at(-1),isWhole=after.length===0||last===void 0,end=isWhole?{endLine:line+before.length,endColumn:1}:{endLine:line+before.length-1,endColumn:Array.from(last).length+1},text=after.join(`
`)+(isWhole&&after.length>0?`
`:"");return{description:{text:"Write it as mutating policies make it."},artifactChanges:[{artifactLocation:{uri:uri(path),uriBaseId:"%SRCROOT%"},replacements:[{deletedRegion:{startLine:line,startColumn:1,...end},insertedContent:{text}}]}]}}var RelatedParts=class{#known=new Map;of(related){let known=this.#known.get(related);if(known!==void 0)return known;let part={elsewhere:related.filter(({place})=>!isInRepository(place)).map(({message,place})=>`${message}: ${place.path}:${place.startLine}`),relatedLocations:relatedLocations2(related.filter(({place})=>isInRepository(place)))};return this.#known.size===MAX_RELATED&&this.#known.clear(),this.#known.set(related,part),part}};function isInRepository(place){return place!==void 0&&!isElsewhere(place)}function isPlaced(diagnostic){return isInRepository(diagnostic.primary)}function relatedLocations2(related){return related.map(({message,place},index)=>({id:index+1,message:{text:plain(message)},physicalLocation:physicalLocation(place)}))}function physicalLocation(place){return{artifactLocation:{uri:uri(place.path),uriBaseId:"%SRCROOT%"},region:region(place)}}function region(place){let{startLine,startColumn}=place,endColumn=place.endLine===startLine?place.endColumn:endOfLine(place);return{startLine,startColumn,endLine:startLine,endColumn:Math.max(endColumn,startColumn)}}function endOfLine(place){let text=place.excerpt?.lines[place.startLine-place.excerpt.firstLine];return text===void 0?place.startColumn+1:Array.from(text).length+1}function uri(path){return path.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD").split("/").map(encodeURIComponent).join("/")}function plain(text){return text===""?"(no message)":text.replaceAll("](","]\u200B(")}function isIncomplete({verdict,findings,diagnostics}){return[...findings,...diagnostics].some(entry=>failsUndecided(entry,verdict))}function notifications(report,cut){return[...report.diagnostics.filter(each=>!isInRepository(each.primary)||isUndecided(each)&&each.excuse===void 0).map(({code,severity,message,primary})=>({descriptor:{id:code},level:LEVELS[severity],message:{text:plain(primary===void 0?message:`${message}
at ${primary.path}:${primary.startLine}`)}})),...cut>0?[{level:"warning",message:{text:`${count(cut,"result")} more did not fit; the json format has all`}}]:[]]}var openreports=reporterOf({name:"openreports",extension:"openreports.yaml",pieces:report=>[documents(report,{apiVersion:"openreports.io/v1alpha1",namespaced:"Report",cluster:"ClusterReport",sourceIn:"report"})]}),policyreport=reporterOf({name:"policyreport",extension:"policyreport.yaml",pieces:report=>[documents(report,{apiVersion:"wgpolicyk8s.io/v1alpha2",namespaced:"PolicyReport",cluster:"ClusterPolicyReport",sourceIn:"results"})]}),SOURCE={source:"preadmit"};function documents(report,kinds){let groups=new Map,group=(target,namespace)=>{let key=JSON.stringify([target,namespace]),existing=groups.get(key)??{target,namespace,results:[]};return groups.set(key,existing),existing},open=openPolicies(report);for(let target of report.targets){let{results}=group(target.name,void 0);for(let policy of target.policies){if(policy.denied+policy.warned+policy.audited>0)continue;let result2=policy.matched===0||open.has(policy.name)?"skip":"pass";results.push({policy:policy.name,result:result2,scored:!0,properties:{matched:String(policy.matched)}})}}for(let finding of report.findings)if(!(finding.excuse!==void 0&&!isUndecided(finding)))for(let each of separated(finding))group(each.target,each.resource.namespace).results.push(findingResult(each,report));let[first]=report.targets;for(let diagnostic of report.diagnostics)isUndecided(diagnostic)&&first!==void 0&&group(first.name,diagnostic.resource?.namespace).results.push(undecidedResult(diagnostic,report));let told=Array.from(groups.values()).filter(({results})=>results.length>0);return told.length===0?`# no policy was evaluated
`:told.map(each=>`---
${block(document(each,kinds),"")}`).join("")}function document({target,namespace,results},kinds){let summary={pass:0,fail:0,warn:0,error:0,skip:0};for(let{result:result2}of results)summary[result2]+=1;return{apiVersion:kinds.apiVersion,kind:namespace===void 0?kinds.cluster:kinds.namespaced,metadata:{name:objectName(target),...namespace===void 0?{}:{namespace},labels:{"app.kubernetes.io/managed-by":"preadmit"},annotations:{"preadmit/target":target}},...kinds.sourceIn==="report"?SOURCE:{},summary,results:kinds.sourceIn==="report"?results:results.map(result2=>({...SOURCE,...result2}))}}function undecidedResult(diagnostic,{verdict}){let{code,policy,message,resource,subject,part,primary}=diagnostic;return{policy:policy??"preadmit",rule:code,result:failsUndecided(diagnostic,verdict)?"error":"skip",scored:!1,message,...resource&&{resources:[{...resource}]},properties:{...subject!==void 0&&{subject},...part!==void 0&&{part},...primary&&{file:primary.path,line:String(primary.startLine)}}}}function findingResult(finding,{verdict}){let{resource,primary}=finding;return{policy:finding.policy.name,rule:ruleName(finding),result:resultOf(finding,verdict),severity:finding.severity==="error"?"high":finding.severity==="warning"?"medium":"low",scored:finding.severity==="error",message:finding.message,resources:[{apiVersion:resource.apiVersion,kind:resource.kind,...resource.namespace===void 0?{}:{namespace:resource.namespace},name:resource.name,...finding.fieldPath===""?{}:{fieldPath:finding.fieldPath}}],properties:{actions:finding.actions.join(","),...finding.binding===void 0?{}:{binding:finding.binding},operation:finding.operation,file:primary.path,line:String(primary.startLine),column:String(primary.startColumn)}}}function resultOf(finding,verdict){return isUndecided(finding)?failsUndecided(finding,verdict)?"error":"skip":finding.result==="error"?"error":finding.severity==="error"?"fail":"warn"}function objectName(target){let name=target.toLowerCase().replace(/[^a-z0-9]+/g,"-").slice(0,200);return trimRight(`preadmit-${name}`,"-")}function block(value,indent){let text="";for(let[key,item]of Object.entries(value))text+=`${indent}${quoted(key)}:${nested(item,indent)}`;return text}function nested(value,indent){if(Array.isArray(value)){if(value.length===0)return` []
`;let inner=`${indent}  `;return`
${value.map(item=>`${inner}- ${block(item,`${inner}  `).trimStart()}`).join("")}`}return typeof value=="object"&&value!==null?`
${block(value,`${indent}  `)}`:` ${typeof value=="string"?quoted(value):String(value)}
`}function quoted(text){return/^[A-Za-z]+$/.test(text)&&!/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)?text:jsonString(text)}var PAGE_SCRIPT=`
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
`;var html=reporterOf({name:"html",extension:"html",pieces:report=>gathered(page(report))});function*page(report){let heading=`Admission policies: ${reviewHeading(report).replaceAll("`","")}`;yield documentHead(heading,PAGE_STYLE,PAGE_SCRIPT),yield`<body>
<a class="skip" href="#content">To the findings</a>
<header>
<h1 class="${report.verdict.conclusion}">${escapeHtml(heading)}</h1>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
</header>
<main id="content" tabindex="-1"><noscript><p>A script in this file shows the findings, but this browser runs no scripts. The formats text and markdown need none.</p></noscript></main>
<footer class="muted"><p>Preadmit ${escapeHtml(report.preadmit)}. Keys: / to search, j and k from finding to finding, Escape to leave the search.</p></footer>
<script type="application/json" id="report">`,yield*pageJson(report),yield`</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`}var junit=reporterOf({name:"junit",extension:"junit.xml",pieces:report=>[junitXml([runSuite(report),...policySuites(report)])]});function runSuite(report){let headline=verdictHeadline(report),checked=report.verdict.conclusion!=="nothing-checked",diagnostics=report.diagnostics.filter(each=>each.excuse===void 0||isUndecided(each));return{name:"preadmit",cases:[{name:"something was checked",classname:"preadmit",output:headline,...checked?{}:{outcome:{element:"error",message:headline,text:headline}}},...diagnostics.map(each=>diagnosticCase(each,report))]}}function diagnosticCase(diagnostic,report){let{code,severity,message,primary}=diagnostic,help=adviceOf(diagnostic),where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],text=[message,...where,...help===void 0?[]:[`help: ${help}`]].join(`
`);return{name:message,classname:code,...primary===void 0||isElsewhere(primary)?{}:{file:primary.path,line:primary.startLine},...isUndecided(diagnostic)?undecidedOutcome(diagnostic,report,text):outcomeOf(severity,message,text)}}function outcomeOf(severity,message,text){return severity==="error"?{outcome:{element:"error",message,text}}:{output:`${severity}: ${text}`}}function undecidedOutcome(entry,{verdict},text){let message=entry.excuse===void 0?entry.message:acceptance(entry.excuse);return{outcome:{element:failsUndecided(entry,verdict)?"error":"skipped",message,text}}}function policySuites(report){let open=openPolicies(report),suites=new Map,suite=(target,policy)=>{let cases=suites.get(`${target}/${policy}`)??[];return suites.set(`${target}/${policy}`,cases),cases};for(let target of report.targets)for(let policy of target.policies)suite(target.name,policy.name);for(let finding of report.findings){if(finding.excuse!==void 0&&!isUndecided(finding))continue;let first=new Map([...separated(finding)].reverse().map(each=>[each.target,each]));for(let target of targetsOf(finding))suite(target,finding.policy.name).push(findingCase(first.get(target)??finding,report))}for(let target of report.targets)for(let policy of target.policies){let cases=suite(target.name,policy.name);cases.length===0&&cases.push(open.has(policy.name)?openCase(policy):passedCase(policy))}return Array.from(suites,([name,cases])=>({name,cases}))}function passedCase(policy){return{name:`nothing to report on ${count(policy.matched,"matched request")}`,classname:policy.name}}function openCase({name}){let message="not evaluated for some objects, see the suite preadmit";return{name:message,classname:name,outcome:{element:"skipped",message,text:message}}}function findingCase(finding,report){let place=`${finding.primary.path}:${finding.primary.startLine}:${finding.primary.startColumn}`,said=isUndecided(finding)?finding.message:finding.serverMessage||finding.message,text=`${place}
${said}
${finding.rule.field}: ${finding.rule.expression??""}`;return{name:[resourceLabel(finding.resource),ruleName(finding),...finding.binding===void 0?[]:[`binding ${finding.binding}`],...finding.param===void 0?[]:[`param ${resourceLabel(finding.param)}`],...finding.fieldPath===""?[]:[`at ${finding.fieldPath}`]].join(" "),classname:finding.policy.name,file:finding.primary.path,line:finding.primary.startLine,...isUndecided(finding)?undecidedOutcome(finding,report,text):finding.severity==="error"?{outcome:{element:finding.result==="error"?"error":"failure",message:finding.message,text}}:{output:`${finding.severity}: ${finding.message}
${text}`}}}var OTHER="(other)";function exposition(gauges){return gauges.filter(({samples})=>samples.length>0).map(({name,help,samples})=>{let lines=Array.from(series(samples),([labels,value])=>`${name}${labels} ${value}
`);return`# HELP ${name} ${help}
# TYPE ${name} gauge
${lines.join("")}`}).join("")}function series(samples){let kept=keptValues(samples),values=new Map;for(let{labels,value}of samples){let pairs=Object.entries(labels).map(([name,text])=>{let shown=shownValue(text);return`${name}="${escaped(kept.get(name)?.has(shown)===!0?shown:OTHER)}"`}),key=pairs.length===0?"":`{${pairs.join(",")}}`;values.set(key,(values.get(key)??0)+value)}return values}function keptValues(samples){let sums=new Map;for(let{labels,value}of samples)for(let[name,text]of Object.entries(labels)){let ofLabel=sums.get(name)??new Map;sums.set(name,ofLabel),ofLabel.set(shownValue(text),(ofLabel.get(shownValue(text))??0)+value)}return new Map(Array.from(sums,([name,ofLabel])=>{let most=[...ofLabel].sort(([a,one2],[b,other])=>other-one2||(a<b?-1:1)).slice(0,100);return[name,new Set(most.map(([text])=>text))]}))}function shownValue(text){return[...text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu,"\uFFFD")].slice(0,200).join("")}function escaped(text){return text.replaceAll("##[","#\uFFFD#[").replaceAll("\\","\\\\").replaceAll('"','\\"')}var prometheus=reporterOf({name:"prometheus",extension:"prom",pieces:(report,options)=>[exposition(gaugesOf(report,options))]}),CONCLUSIONS=["allowed","denied","undecided","nothing-checked"],NO_OWNER="(none)";function gaugesOf(report,{seconds}){let{verdict,coverage,targets,unlisted}=report,findings=openFindings(report.findings),problems=openDiagnostics(report.diagnostics);return[{name:"preadmit_info",help:"Version and settings of the run, always 1.",samples:one({version:report.preadmit,fail_on:verdict.failOn,on_undecided:verdict.onUndecided},1)},{name:"preadmit_verdict",help:"Conclusion of the run: 1 for the one that applies, 0 for the others.",samples:CONCLUSIONS.map(conclusion=>({labels:{conclusion},value:+(verdict.conclusion===conclusion)}))},{name:"preadmit_repository_verdict",help:"Conclusion for each repository of a joined report, always 1.",samples:(report.repositories??[]).map(({name,conclusion})=>({labels:{repository:name,conclusion},value:1}))},{name:"preadmit_objects",help:"Evaluated objects by cluster.",samples:targets.map(({name,evaluated})=>({labels:{cluster:name},value:evaluated}))},{name:"preadmit_denied_objects",help:"Objects that would be denied.",samples:one({},verdict.denied)},{name:"preadmit_warned_objects",help:"Objects that would be warned about.",samples:one({},verdict.warned)},{name:"preadmit_audited_objects",help:"Objects that would be audited.",samples:one({},verdict.audited)},{name:"preadmit_errors",help:"Errors of policies, configuration and manifests.",samples:one({},verdict.errors)},{name:"preadmit_unjudged",help:"What could not be judged. Above 0, a run without findings is not clean.",samples:Object.entries({undecided_objects:verdict.undecided,open_objects:verdict.open,render_targets:verdict.notRendered,incomplete_render_targets:verdict.incomplete,documents:verdict.unread}).map(([what,value])=>({labels:{what},value}))},{name:"preadmit_findings",help:"Findings that are not accepted, by cluster and object. The result unknown is undecided.",samples:findings.flatMap(byCluster)},{name:"preadmit_owner_findings",help:"Findings that are not accepted, by owner. A finding of several owners counts for each.",samples:report.ownership===void 0?[]:findings.flatMap(byOwner)},{name:"preadmit_problems",help:"Problems of policies, configuration, manifests and objects that are not accepted.",samples:problems.map(problem=>({labels:{code:problem.code,severity:problem.severity},value:problem.count??1}))},{name:"preadmit_owner_problems",help:"Problems that are not accepted, by owner. A problem of several owners counts for each.",samples:report.ownership===void 0?[]:problems.flatMap(byOwner)},{name:"preadmit_unlisted_findings",help:"Findings beyond the limit of a report, which no other metric counts.",samples:Object.entries(unlisted??{}).map(([severity,value])=>({labels:{severity},value}))},{name:"preadmit_accepted_findings",help:"Accepted findings and problems, by the kind of acceptance.",samples:acceptedItems(report).map(({excuse})=>({labels:{by:excuse.by},value:1}))},{name:"preadmit_documents_not_evaluated",help:"Documents that were not evaluated, by reason.",samples:coverage.notEvaluated.map(({reason,count:count2})=>({labels:{reason},value:count2}))},...seconds===void 0?[]:[{name:"preadmit_run_duration_seconds",help:"Duration of the run.",samples:one({},seconds)}]]}function one(labels,value){return[{labels,value}]}function byCluster({policy,severity,result:result2,target,objects}){return(objects??[{target}]).map(object=>({labels:{cluster:object.target,policy_kind:policy.kind,policy:policy.name,severity,result:result2},value:1}))}function byOwner(entry){let isFinding2="result"in entry,value=isFinding2?entry.objects?.length??1:entry.count??1,more=isFinding2?{result:entry.result}:{};return(entry.owners??[NO_OWNER]).map(owner=>({labels:{owner,severity:entry.severity,...more},value}))}var BY_NAME={github,markdown,html,sarif,junit,rdjson,gitlab,openreports,policyreport,prometheus};function seldomReporter(name){return BY_NAME[name]}export{seldomReporter,formats_exports};
