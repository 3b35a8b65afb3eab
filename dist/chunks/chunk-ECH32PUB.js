import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{junitXml}from"./chunk-3GJHUKTR.js";import{PROJECT_NAME,PROJECT_URL,codePage,github,markdown,reviewHeading,textDigest}from"./chunk-JQ7TAH4L.js";import{acceptance,actionsLabel,additionWords,adviceOf,auditAnnotationWords,blastRadiusHeadline,bySeverity,changeHeadline,count,derivedTargets,failsUndecided,fetchedExtent,gathered,isElsewhere,isUndecided,jsonPieces,jsonString,mutatedAwayWords,openDiagnostics,openFindings,openPolicies,operationPrefix,otherMessages,reporterOf,resourceLabel,rootsNote,ruleId,ruleName,separated,severityIn,shortId,sourcesExtent,storedWords,targetsOf,unknownSentences,validationExtent,verdictBy,verdictHeadline}from"./chunk-3Z7A52GP.js";import{trimRight}from"./chunk-F3EADK2I.js";import{sanitizeLine,sanitizeText}from"./chunk-TSKDQDGY.js";import{__export}from"./chunk-XQM4SLIR.js";var formats_exports={};__export(formats_exports,{seldomReporter:()=>seldomReporter});var SEVERITIES={error:"critical",warning:"minor",notice:"info"},gitlab=reporterOf({name:"gitlab",extension:"codequality.json",pieces:report=>jsonPieces(uniquelyNamed(issues(report)))});function issues(report){return[...openFindings(report.findings).map(finding=>({description:`${resourceLabel(finding.resource)}: ${finding.message}`,check_name:ruleId(finding),fingerprint:finding.fingerprint,severity:SEVERITIES[severityIn(finding,report)],location:location(finding.primary)})),...openDiagnostics(report.diagnostics).flatMap(diagnostic=>diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?[]:{description:diagnostic.message,check_name:diagnostic.code,fingerprint:`${diagnostic.code}|${diagnostic.primary.path}|${diagnostic.message}`,severity:SEVERITIES[severityIn(diagnostic,report)],location:location(diagnostic.primary)})]}function location(place){return{path:place.path,lines:{begin:place.startLine}}}function uniquelyNamed(list){let seen=new Map;return list.map(issue=>{let times=(seen.get(issue.fingerprint)??0)+1;return seen.set(issue.fingerprint,times),times===1?issue:{...issue,fingerprint:`${issue.fingerprint}|${times}`}})}var SEVERITIES2={error:"ERROR",warning:"WARNING",notice:"INFO"},rdjson=reporterOf({name:"rdjson",extension:"rdjson",pieces:report=>jsonPieces({source:{name:PROJECT_NAME,url:PROJECT_URL},diagnostics:diagnosticsOf(report)})});function diagnosticsOf(report){return[...openFindings(report.findings).map(finding=>({message:withPlaces(`${resourceLabel(finding.resource)}: ${finding.message}`,finding.related),location:location2(finding.primary),severity:SEVERITIES2[severityIn(finding,report)],code:{value:ruleId(finding),url:codePage(finding.code)},related_locations:relatedLocations(finding.related)})),...openDiagnostics(report.diagnostics).map(diagnostic=>({message:withAdvice(diagnostic),...diagnostic.primary===void 0||isElsewhere(diagnostic.primary)?{}:{location:location2(diagnostic.primary)},severity:SEVERITIES2[severityIn(diagnostic,report)],code:{value:diagnostic.code,url:codePage(diagnostic.code)},...diagnostic.fix===void 0?{}:{suggestions:[suggestion(diagnostic.fix)]},related_locations:relatedLocations(diagnostic.related)}))]}function withAdvice(diagnostic){let advice=adviceOf(diagnostic),{message,primary,related}=diagnostic,where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],lines=[message,...where,...advice===void 0?[]:[`help: ${advice}`]];return withPlaces(lines.join(`
`),related)}function withPlaces(message,related){let elsewhere=related.filter(({place})=>isElsewhere(place));return[message,...elsewhere.map(each=>`${each.message}: ${each.place.path}:${each.place.startLine}`)].join(`
`)}function relatedLocations(related){return related.filter(({place})=>!isElsewhere(place)).map(({message,place})=>({message,location:location2(place)}))}function location2(place){let start=byteColumn(place,place.startLine,place.startColumn),end=byteColumn(place,place.endLine,place.endColumn),columns=start!==void 0&&end!==void 0;return{path:place.path,range:{start:{line:place.startLine,...columns?{column:start}:{}},end:{line:place.endLine,...columns?{column:end}:{}}}}}function suggestion({line,before,after}){let text=after.join(`
`);return before.length>0?{range:{start:{line},end:{line:line+before.length-1}},text}:{range:{start:{line,column:1},end:{line,column:1}},text:`${text}
`}}function byteColumn(place,line,column){let text=place.excerpt?.lines[line-place.excerpt.firstLine];if(text===void 0)return;let codePoints=Array.from(text);if(!(column-1>codePoints.length))return new TextEncoder().encode(codePoints.slice(0,column-1).join("")).length+1}var MAX_RESULTS=25e3,MAX_RELATED=1e3,MAX_DESCRIPTION=1024,LEVELS={error:"error",warning:"warning",notice:"note"},PROBLEM_SEVERITIES={error:"error",warning:"warning",notice:"recommendation"},sarif=reporterOf({name:"sarif",extension:"sarif",pieces:report=>jsonPieces({$schema:"https://json.schemastore.org/sarif-2.1.0.json",version:"2.1.0",runs:[run(report)]},{recurring:new Set(["actions","relatedLocations"])})});function run(report){let subjects=bySeverity([...openFindings(report.findings),...openDiagnostics(report.diagnostics).filter(isPlaced)]),shown2=subjects.slice(0,MAX_RESULTS),rules=new Rules,results=shown2.map(subject=>({subject,...rules.ruleOf(subject)}));return{tool:{driver:{name:PROJECT_NAME,informationUri:PROJECT_URL,semanticVersion:report.preadmit,rules:rules.list}},invocations:[{executionSuccessful:!isIncomplete(report),toolExecutionNotifications:notifications(report,subjects.length-shown2.length)}],columnKind:"unicodeCodePoints",results:written(results)}}function*written(results){let hashes=lineHashes(results),places=new RelatedParts;for(let[index,each]of results.entries())yield result(each,hashes[index],places)}function lineHashes(results){let keyOf=({ruleIndex,subject:{primary}})=>`${ruleIndex} ${primary.lineHash} ${primary.path}`,first=new Map;for(let each of results){let fingerprint=fingerprintOf(each.subject),key=keyOf(each),known=first.get(key);fingerprint!==void 0&&(known===void 0||fingerprint<known)&&first.set(key,fingerprint)}return results.map(each=>{let{lineHash}=each.subject.primary,fingerprint=fingerprintOf(each.subject);if(fingerprint===void 0||first.get(keyOf(each))===fingerprint||lineHash===void 0)return lineHash;let[hash=""]=lineHash.split(":");return`${textDigest(`${hash}\0${fingerprint}`,hash.length)}:1`})}function isFinding(subject){return"fingerprint"in subject}function fingerprintOf(subject){return isFinding(subject)?subject.fingerprint:void 0}function tellingOf(subject){return isFinding(subject)?tellingOfFinding(subject):tellingOfDiagnostic(subject)}function tellingOfFinding(finding){return{message:`${resourceLabel(finding.resource)}: ${finding.message}`,fingerprint:finding.fingerprint,logicalName:finding.fieldPath===""?void 0:finding.fieldPath,properties:{target:finding.target,targets:finding.targets,operation:finding.operation,actions:finding.actions,binding:finding.binding,rule:ruleId(finding),serverMessage:finding.serverMessage}}}function tellingOfDiagnostic(diagnostic){let advice=adviceOf(diagnostic);return{message:advice===void 0?diagnostic.message:`${diagnostic.message}
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
`}function quoted(text){return/^[A-Za-z]+$/.test(text)&&!/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)?text:jsonString(text)}var MAX_KNOWN=1e3,KnownPart=class{isTold=!1;json;value;constructor(value){this.value=value}},KnownParts=class{#known=new Map;of(source,make){let known=this.#known.get(source);if(known!==void 0)return known;let part=new KnownPart(make(source));return this.#known.size===MAX_KNOWN&&this.#known.clear(),this.#known.set(source,part),part}},MappedList=class{items;constructor(items){this.items=items}};function mapped(items,make){return new MappedList(function*(){for(let item of items)yield make(item)})}var NumberedTexts=class{#numbers=new Map;*told(value){for(let item of Object.values(value))if(item instanceof MappedList)for(let each of item.items())yield this.#newTexts(each);else isObject(item)?yield*this.told(item):yield this.#newTexts(item)}*parts(value){let before="{";for(let[key,item]of Object.entries(value))item!==void 0&&(yield`${before}"${key}":`,before=",",item instanceof MappedList?yield*this.#partsOfList(item):isObject(item)?yield*this.parts(item):yield this.#json(item));yield before==="{"?"{}":"}"}*#partsOfList({items}){let before="[";for(let item of items())yield before+this.#json(item),before=",";yield before==="["?"[]":"]"}#newTexts(value){let before=this.#numbers.size,texts=[];return this.#collect(value,texts),texts.length===0?"":`${before===0?"":","}${texts.join()}`}#collect(value,texts){if(typeof value=="string"||typeof value=="number"){let text=String(value);if(this.#numbers.has(text))return;this.#numbers.set(text,this.#numbers.size),texts.push(harmless(JSON.stringify(sanitizeText(text))))}else if(value instanceof KnownPart){if(value.isTold)return;value.isTold=!0,this.#collect(value.value,texts)}else if(Array.isArray(value))for(let item of value)this.#collect(item,texts);else if(isObject(value))for(let item of Object.values(value))this.#collect(item,texts)}#json(value){if(typeof value=="string"||typeof value=="number")return String(this.#numbers.get(String(value)));if(value instanceof KnownPart)return value.json??=this.#json(value.value),value.json;if(Array.isArray(value))return`[${value.map(item=>this.#json(item)).join()}]`;if(!isObject(value))return String(value??null);let entries=[];for(let[key,item]of Object.entries(value))item!==void 0&&entries.push(`"${key}":${this.#json(item)}`);return`{${entries.join()}}`}};function isObject(value){return typeof value=="object"&&value!==null&&!Array.isArray(value)&&!(value instanceof KnownPart)}function harmless(json){return json.replace(/[<>&\u2028\u2029]/g,found=>`\\u${found.charCodeAt(0).toString(16).padStart(4,"0")}`)}function*pageJson(report){let texts=new NumberedTexts,known=new KnownParts;yield'{"texts":[',yield*texts.told(shown(report,known)),yield'],"root":',yield*texts.parts(shown(report,known)),yield"}"}function shown(report,known){let{coverage,comparison,notCompared,blastRadius,verdict}=report;return{heading:reviewHeading(report).replaceAll("`",""),conclusion:verdict.conclusion,version:report.preadmit,only:verdict.only,findings:mapped(report.findings,finding=>findingEntry(finding,known)),problems:mapped(report.diagnostics,diagnostic=>problemEntry(diagnostic,known)),fixed:mapped(comparison?.fixed??[],finding=>findingEntry(finding,known)),comparison:comparison&&[`${shortId(comparison.base)} with ${shortId(comparison.head)}: ${changeHeadline(comparison)}`,verdictBy(comparison),...comparison.notices],notCompared,blast:blastRadius&&{heading:blastRadiusHeadline(blastRadius),causes:blastRadius.causes.map(({resource,change,path})=>`${resourceLabel(resource)} ${change} (${path})`),entries:blastRadius.entries.map(entry=>({object:resourceLabel(entry.resource),cluster:entry.target,before:entry.before,after:entry.after,by:entry.policies.join(", "),message:entry.message??"",stored:entry.fields===void 0?"":storedWords(entry.fields),at:placeLabel(entry.primary)}))},coverage:{files:coverage.files,found:coverage.found,evaluated:coverage.evaluated,extents:[sourcesExtent(report),fetchedExtent(report),validationExtent(report)].filter(words=>words!==""),reasons:coverage.notEvaluated.map(({reason,meaning,count:count2})=>({reason,meaning,count:count2})),skipped:mapped(coverage.skipped,({path,line,reason,detail})=>({at:line===void 0?path:`${path}:${line}`,reason,detail:detail??""}))},clusters:report.targets.map(({name,kubernetesVersion,user,evaluated,policies})=>({name,kubernetesVersion,user,evaluated,policies:policies.length})),derived:derivedTargets(report.targets),policies:report.targets.flatMap(({name:cluster,policies})=>policies.map(({kind,name,path,matched,denied,warned,audited,undecided=0})=>({cluster,kind,name,path,matched,denied,warned,audited,undecided}))),unknowns:unknownSentences(report),additions:report.targets.flatMap(({additions=[]})=>additions.map(additionWords)),auditAnnotations:report.targets.flatMap(target=>(target.auditAnnotations??[]).map(auditAnnotationWords)),mutatedAway:report.targets.flatMap(({mutatedAway=[]})=>mutatedAway.map(mutatedAwayWords))}}function findingEntry(finding,known){let{policy,primary,mayBeChangedBy=[],excuse}=finding,field=finding.fieldPath===""?void 0:`${finding.fieldPath}${finding.defaulted===!0?" (by default)":""}`;return{...entryPlace(primary,known),severity:finding.severity,result:finding.result,status:finding.status,message:finding.message,object:`${operationPrefix(finding)}${resourceLabel(finding.resource)}`,clusters:targetsOf(finding),policy:policy.name,rule:`${policy.kind} ${policy.name}, ${ruleName(finding)}`,expression:finding.rule.expression,field,binding:finding.binding,param:finding.param&&resourceLabel(finding.param),server:finding.serverMessage===""?void 0:finding.serverMessage,actions:actionsLabel(finding),notes:[...finding.changedBy===void 0?[]:[`${finding.changedBy} changes this manifest before it is applied`],...mayBeChangedBy.length===0?[]:[`${mayBeChangedBy.join(" and ")} may change this object before policies see it`],...rootsNote(finding)===""?[]:[rootsNote(finding)],...otherMessages(finding)],related:known.of(finding.related,related=>related.map(relatedEntry)),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`}}function problemEntry(diagnostic,known){let{primary,excuse}=diagnostic;return{...primary===void 0?{}:entryPlace(primary,known),severity:diagnostic.severity,status:diagnostic.status,message:diagnostic.message,code:diagnostic.code,object:diagnostic.resource&&resourceLabel(diagnostic.resource),help:adviceOf(diagnostic),related:known.of(diagnostic.related,related=>related.map(relatedEntry)),accepted:excuse&&`${acceptance(excuse)} (${placeLabel(excuse.place)})`}}function entryPlace({path,startLine,endLine,excerpt},known){return{path,line:startLine,last:endLine,frame:excerpt&&known.of(excerpt,frame)}}function frame({firstLine,lines}){return{first:firstLine,lines}}function relatedEntry({message,place}){return{message,at:placeLabel(place),line:place.startLine,frame:place.excerpt&&frame(place.excerpt)}}function placeLabel({path,startLine}){return`${path}:${startLine}`}var PAGE_SCRIPT=`
(function () {
'use strict';
var SIZE = 50;
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
`;var html=reporterOf({name:"html",extension:"html",pieces:report=>gathered(page(report))});function*page(report){let policy=["default-src 'none'",`script-src '${digestSource(PAGE_SCRIPT)}'`,`style-src '${digestSource(PAGE_STYLE)}'`,"base-uri 'none'","form-action 'none'","require-trusted-types-for 'script'","trusted-types 'none'"].join("; "),heading=`Admission policies: ${reviewHeading(report).replaceAll("`","")}`;yield`<!doctype html>
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
<script type="application/json" id="report">`,yield*pageJson(report),yield`</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`}function digestSource(text){let bytes=textDigest(text,64).match(/../g)??[];return`sha256-${btoa(bytes.map(byte=>String.fromCharCode(Number.parseInt(byte,16))).join(""))}`}function escapeHtml(text){return sanitizeLine(text).replace(/[&<>"']/g,found=>`&#${found.charCodeAt(0)};`)}var junit=reporterOf({name:"junit",extension:"junit.xml",pieces:report=>[junitXml([runSuite(report),...policySuites(report)])]});function runSuite(report){let headline=verdictHeadline(report),checked=report.verdict.conclusion!=="nothing-checked",diagnostics=report.diagnostics.filter(each=>each.excuse===void 0||isUndecided(each));return{name:"preadmit",cases:[{name:"something was checked",classname:"preadmit",output:headline,...checked?{}:{outcome:{element:"error",message:headline,text:headline}}},...diagnostics.map(each=>diagnosticCase(each,report))]}}function diagnosticCase(diagnostic,report){let{code,severity,message,primary}=diagnostic,help=adviceOf(diagnostic),where=primary!==void 0&&isElsewhere(primary)?[`at ${primary.path}:${primary.startLine}`]:[],text=[message,...where,...help===void 0?[]:[`help: ${help}`]].join(`
`);return{name:message,classname:code,...primary===void 0||isElsewhere(primary)?{}:{file:primary.path,line:primary.startLine},...isUndecided(diagnostic)?undecidedOutcome(diagnostic,report,text):outcomeOf(severity,message,text)}}function outcomeOf(severity,message,text){return severity==="error"?{outcome:{element:"error",message,text}}:{output:`${severity}: ${text}`}}function undecidedOutcome(entry,{verdict},text){let message=entry.excuse===void 0?entry.message:acceptance(entry.excuse);return{outcome:{element:failsUndecided(entry,verdict)?"error":"skipped",message,text}}}function policySuites(report){let open=openPolicies(report),suites=new Map,suite=(target,policy)=>{let cases=suites.get(`${target}/${policy}`)??[];return suites.set(`${target}/${policy}`,cases),cases};for(let target of report.targets)for(let policy of target.policies)suite(target.name,policy.name);for(let finding of report.findings){if(finding.excuse!==void 0&&!isUndecided(finding))continue;let first=new Map([...separated(finding)].reverse().map(each=>[each.target,each]));for(let target of targetsOf(finding))suite(target,finding.policy.name).push(findingCase(first.get(target)??finding,report))}for(let target of report.targets)for(let policy of target.policies){let cases=suite(target.name,policy.name);cases.length===0&&cases.push(open.has(policy.name)?openCase(policy):passedCase(policy))}return Array.from(suites,([name,cases])=>({name,cases}))}function passedCase(policy){return{name:`nothing to report on ${count(policy.matched,"matched request")}`,classname:policy.name}}function openCase({name}){let message="not evaluated for some objects, see the suite preadmit";return{name:message,classname:name,outcome:{element:"skipped",message,text:message}}}function findingCase(finding,report){let place=`${finding.primary.path}:${finding.primary.startLine}:${finding.primary.startColumn}`,said=isUndecided(finding)?finding.message:finding.serverMessage||finding.message,text=`${place}
${said}
${finding.rule.field}: ${finding.rule.expression??""}`;return{name:[resourceLabel(finding.resource),ruleName(finding),...finding.binding===void 0?[]:[`binding ${finding.binding}`],...finding.param===void 0?[]:[`param ${resourceLabel(finding.param)}`],...finding.fieldPath===""?[]:[`at ${finding.fieldPath}`]].join(" "),classname:finding.policy.name,file:finding.primary.path,line:finding.primary.startLine,...isUndecided(finding)?undecidedOutcome(finding,report,text):finding.severity==="error"?{outcome:{element:finding.result==="error"?"error":"failure",message:finding.message,text}}:{output:`${finding.severity}: ${finding.message}
${text}`}}}var BY_NAME={github,markdown,html,sarif,junit,rdjson,gitlab,openreports,policyreport};function seldomReporter(name){return BY_NAME[name]}export{seldomReporter,formats_exports};
