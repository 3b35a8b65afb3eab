import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{codeBlock,codeSpan,escapeHtmlText,escapeMarkdown,fenced,messageMarkdown,proseMarkdown,untabledCodeSpan}from"./chunk-5ITOEWPP.js";import{reviewHeading}from"./chunk-EYB7YOYC.js";import{byteLength,cutToBytes,encodeCommand}from"./chunk-7DHTPH7P.js";import{BURN_DOWN_COLUMNS,MAX_LISTED,SEVERITY_RANK,UPGRADE_WORDS,acceptance,acceptedItems,actionsLabel,adviceOf,adviceOnce,alikeWords,auditAnnotations,auditWords,bars,blastRadiusHeadline,burnDownRow,byOwners,bySeverity,causeWords,clusterAdditions,compareOwners,conclusionWords,count,dayWords,deletionLines,derivedClusters,fetchedExtent,firstLines,fixLines,foldedUnknowns,inTurns,isBadNews,isCounted,isElsewhere,isShown,listedSentence,mutatedAway,objectKey,objectLines,objectTally,openDiagnostics,openFindings,operationPrefix,otherMessages,ownershipSentences,policyRows,releaseLines,repeatedWarnings,reporterOf,resourceLabel,rootsNote,ruleName,sameWords,settingsExtent,severityIn,shortId,signed,someOf,sourcesExtent,storedWords,stricterLead,subjectWords,suggestionWords,targetNote,validationExtent,verdictBy,verdictHeadline,whatIfLines,withSameMessage,worstFirst}from"./chunk-KV27G2MN.js";import{sanitizeLine}from"./chunk-HSIHQTVB.js";var SHOWN_PER_LEVEL=10,github=reporterOf({name:"github",extension:"log",pieces:report=>{let commands=bySeverity(commandsOf(report));return[`${[...commands.map(encodeCommand),...hidden(commands),sanitizeLine(verdictHeadline(report))].join(`
`)}
`]}});function commandsOf(report){return[...openDiagnostics(report.diagnostics).map(diagnostic=>{let advice=adviceOf(diagnostic);return{severity:severityIn(diagnostic,report),title:diagnostic.code,message:[diagnostic.message,...advice===void 0?[]:[`help: ${advice}`]].join(`
`),place:diagnostic.primary}}),...openFindings(report.findings).map(finding=>{let{policy,binding,actions,message:message2,resource,primary}=finding,bound=binding===void 0?"":` with binding ${binding}`;return{severity:severityIn(finding,report),title:`${resourceLabel(resource)}: ${policy.name}`,message:`${message2}
${actionsLabel({actions})} by ${policy.kind} ${policy.name}${bound}`,place:primary}})]}function hidden(commands){return["error","warning","notice"].flatMap(severity=>{let number=commands.filter(command=>command.severity===severity).length,all=count(number,`${severity} annotation`);return number>SHOWN_PER_LEVEL?[`${all}: GitHub shows ${SHOWN_PER_LEVEL} of a step, all are in this log`]:[]})}var MAX_MESSAGE_BYTES=1e3,MAX_NAME_BYTES=300,MAX_TITLE_BYTES=200;function message(text){return messageMarkdown(cutToBytes(text,MAX_MESSAGE_BYTES))}function prose(text){return proseMarkdown(cutToBytes(text,MAX_MESSAGE_BYTES))}function paragraph(text,write=messageMarkdown){return firstLines(cutToBytes(text,MAX_MESSAGE_BYTES)).map(write).join("<br>")}function boldParagraph(text){let lines=firstLines(cutToBytes(text,MAX_MESSAGE_BYTES)).map(line=>messageMarkdown(line).trim()).filter(line=>line!=="");return lines.length===0?"**(no message)**":lines.map(line=>`**${line}**`).join("<br>")}function name(text){return codeSpan(cutToBytes(text,MAX_NAME_BYTES))}function expressionCode(text){return untabledCodeSpan(cutToBytes(text,MAX_NAME_BYTES))}function linkText(text){return escapeMarkdown(cutToBytes(text,MAX_NAME_BYTES))}function sentence(words){return words.slice(0,1).toUpperCase()+words.slice(1)}function htmlText(text){return escapeHtmlText(cutToBytes(firstLines(text)[0]??"",MAX_TITLE_BYTES))}function htmlCode(text){return`<code>${sanitizeLine(cutToBytes(text,MAX_NAME_BYTES)).replace(/[&<>"]/g,found=>`&#${found.charCodeAt(0)};`)}</code>`}var MAX_URL_LENGTH=1e3;function lineLink(place,{blobUrl,lost}){return lost?.has(place)?`${name(place.path)} line ${place.startLine} of the merge commit`:linkTo(place,blobUrl)??`${name(place.path)} line ${place.startLine}`}function pathLink(path,startLine,{blobUrl}){return linkTo({path,startLine,startColumn:1,endLine:startLine,endColumn:1},blobUrl)??`${name(path)} line ${startLine}`}function findingLink({primary,operation},options){return operation!=="DELETE"?lineLink(primary,options):`${linkTo(primary,options.baseBlobUrl)??`${name(primary.path)} line ${primary.startLine}`} before the change`}function ruleLink(label,{related},role,report,options){let place=related.find(each=>each.role===role)?.place,from=report.comparison?.policiesFrom??"head",files=from==="base"?options.baseBlobUrl:options.blobUrl;if(place===void 0||from==="both"||options.lost?.has(place))return name(label);let url=urlOf(place,files);return url===void 0?name(label):`[${linkText(label)}](${url})`}function linkTo(place,files){let url=urlOf(place,files);return url===void 0?void 0:`[${linkText(`${place.path}:${place.startLine}`)}](${url})`}function urlOf(place,files){if(files===void 0||isElsewhere(place))return;let encoded=place.path.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD").split("/").map(encodeURIComponent).join("/"),url=`${files}/${encoded.replaceAll("(","%28").replaceAll(")","%29")}#L${place.startLine}`;return url.length>MAX_URL_LENGTH?void 0:url}function asides(report,options){return[[folded("Deleted",deletionLines(report).map(bullet)),.2],[folded("Warnings that base has too",repeatedWarnings(report).map(line=>repeated(line,options))),.2],[folded("Existing findings, not counted",report.verdict.only==="new"?existing(report,options):[]),.2],[folded("Fixed by this change",fixedObjects(report)),.2],[suggestions(report,options),.2],[folded("Fields added by mutating policies",clusterAdditions(report).map(bullet)),.1],[folded("Findings removed by mutating policies",mutatedAway(report).map(bullet)),.1],[folded("Audit annotations",auditAnnotations(report).map(bullet)),.1],[accepted(report,options),1]]}function folded(title,items){return{head:`<details><summary>${title} (${items.length})</summary>

`,items,foot:`
</details>

`,more:rest=>`- ${rest} more
`}}function suggestions({suggestions:all=[]},options){return{head:`<details><summary>Suggested edits (${all.length})</summary>

Mutating policies change these objects before the cluster stores them. With these edits, Git matches what the cluster stores.

`,items:all.map(suggestion=>{let{fix}=suggestion;return`${pathLink(fix.path,fix.line,options)} ${message(suggestionWords(suggestion))}

${fenced("diff",fixLines(fix).map(sanitizeLine))}
`}),foot:`</details>

`,more:rest=>`${count(rest,"more suggestion")}
`}}function existing({diagnostics,findings,verdict},options){return[...openDiagnostics(diagnostics).filter(diagnostic=>!isCounted(diagnostic,{...verdict,only:"new"})).map(diagnostic=>existingProblem(diagnostic,options)),...openFindings(findings.filter(finding=>!isCounted(finding,{...verdict,only:"new"}))).map(finding=>`- ${lineLink(finding.primary,options)} ${subject(finding)}
`)]}function repeated({findings:[first],object,words},options){return`- ${lineLink(first.primary,options)} ${name(object)}: ${message(words)}
`}function fixedObjects({comparison,targets}){return objectLines(comparison?.fixed??[],targets.length>1).map(({findings:[{primary}],object,words})=>`- ${name(primary.path)} line ${primary.startLine} ${name(object)}: ${message(words)}
`)}function subject({resource,message:words,policy}){return`${name(resourceLabel(resource))}: ${message(words)} (${name(policy.name)})`}function existingProblem({primary,message:words,code},options){return`- ${primary===void 0?"":`${lineLink(primary,options)} `}${prose(words)} (${name(code)})
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
`}}function candidateRules({audit},options){let whatIf=audit?.whatIf;if(whatIf===void 0)return{head:"",items:[],foot:"",more:()=>""};let{blastRadius}=whatIf,headline=blastRadius===void 0?"no difference":blastRadiusHeadline(blastRadius),lines=whatIfLines(whatIf).map(line=>`- ${prose(line)}
`),items=blastRadius?.entries.map(entry=>changedAnswer(entry,options))??[];return{head:`### With the candidate policies: ${headline}

${lines.join("")}
`,items:items.length===0?[""]:items,foot:items.length===0?"":`
`,more:rest=>`- ${count(rest,"more object")}
`}}function stricterRules({blastRadius,diagnostics}){let{causes=[]}=blastRadius??{},open=openDiagnostics(diagnostics).filter(({code})=>code==="stricter-rule");return new Map(causes.slice(0,MAX_CAUSES).flatMap(cause=>{let lead=stricterLead(cause),[warning,...others]=open.filter(each=>each.message.startsWith(lead)),isOne=others.length===0&&causes.filter(other=>stricterLead(other)===lead).length===1;return warning!==void 0&&isOne?[[cause,warning]]:[]}))}function meaning(cause,warning){return prose(warning.message.slice(stricterLead(cause).length))}function asSentence(help){return sentence(prose(help))}function changedAnswer(entry,options){let{primary,resource,before,after,policies,message:words,fields}=entry,isStored=before===after&&words===void 0&&fields!==void 0,other=before===after?`still **${after}**`:`${before} \u2192 **${after}**`,what=isStored?`${after}, but **stored differently**`:other,stored=fields===void 0?"":message(storedWords(fields)),why=isStored?stored:words===void 0?"":message(firstLines(words)[0]??""),causes=isStored?"":causeWords(entry),by=[...policies.length===0?[]:[[causes,someOf(policies.map(name))].filter(Boolean).join(" ")],...why===""?[]:[why]].join(": ");return`- ${[`${what} ${name(resourceLabel(resource))} in ${lineLink(primary,options)}`,...by===""?[]:[by],...isStored||stored===""?[]:[`stored differently: ${stored}`]].join("<br>")}
`}function coverageSection(report,options){return{head:`<details><summary>${htmlText(`Checked: ${summary(report,options)}`)}</summary>

`,items:[extents(report),policyTable(report),clusters(report),notEvaluated(report),...options.showSkipped===!0?[skipped(report)]:[]].filter(item=>typeof item=="string"?item!=="":item.items.length>0),foot:`</details>

`,more:rest=>`
${count(rest,"more line")}

`}}function unknowns(report){let{sentences,earlier}=foldedUnknowns(report,!1),rest=earlier>0?[`${count(earlier,"unknown")} that base has too`]:[];return{head:`<details${report.verdict.open>0?" open":""}><summary>Unknowns (${sentences.length+earlier})</summary>

`,items:[...sentences,...rest].map(words=>`- ${prose(words)}
`),foot:`
</details>

`,more:rest2=>`- ${rest2} more
`}}function summary(report,{baseName}){let{comparison,coverage}=report,policies=report.targets.flatMap(target=>target.policies),total=distinct(policies),applying=distinct(policies.filter(({matched})=>matched>0)),left=coverage.found-coverage.evaluated;return[comparison===void 0?evaluatedObjects(report):changedObjects(comparison),...total===0?[]:[`${applying} of ${count(total,"policy","policies")} ${total===1?"applies":"apply"}`],...left>0?[`${count(left,"document")} not evaluated`]:[],...comparison===void 0?[]:[rulesOf(comparison,baseName)]].join(", ")}function distinct(policies){return new Set(policies.map(({kind,name:own})=>`${kind}\0${own}`)).size}function evaluatedObjects({coverage:{evaluated}}){return evaluated===0?"no object":count(evaluated,"object")}function changedObjects({objects:{created,updated,deleted}}){let told=[[created,"created"],[updated,"updated"],[deleted,"deleted"]].filter(([number])=>number>0);return told.length===0?"no object changed":told.map(([number,word],index)=>`${index===0?count(number,"object"):number} ${word}`).join(", ")}function rulesOf({policiesFrom,base},baseName){return policiesFrom==="both"?"rules before and after the change":policiesFrom==="head"?"rules of the change":`rules of ${baseName===void 0?"":`${baseName} at `}${shortId(base)}`}function extents(report){let{coverage,comparison,unusable}=report;if(unusable!==void 0)return"";let{files,found,evaluated}=coverage;return`${[[...files>0?[count(files,"file")]:[],...found>0?[`${count(found,"document")} found`]:[],...evaluated>0?[`${evaluated} evaluated`]:[],...found>evaluated?[`${found-evaluated} not evaluated`]:[]].join(", "),...comparison===void 0?[]:[changeWords(comparison),verdictBy(comparison)],sourcesExtent(report),fetchedExtent(report),validationExtent(report),settingsExtent(report)].filter(words=>words!=="").map(words=>`- ${prose(sentence(words))}
`).join("")}
`}function changeWords({changedFiles,objects,scope}){let told=["created","updated","deleted","unchanged"].filter(what=>objects[what]>0),where=scope==="repository"?"in the whole repository":"in these files",words=told.length===0?"none":told.map(what=>`${objects[what]} ${what}`).join(", ");return`${count(changedFiles.length,"file")} changed; objects ${where}: ${words}`}function policyTable(report){let several=report.targets.length>1,all=report.targets.flatMap(target=>target.policies.map(policy=>({policy,target:target.name}))),withFindings=all.filter(({policy})=>loudness(policy)<3),idle=all.filter(({policy})=>loudness(policy)===3&&policy.matched===0),silent=all.length-withFindings.length-idle.length,rest=[...silent>0?[`${count(silent,"policy","policies")} without a finding`]:[],...idle.length>0?[`${idle.length} matched nothing: ${someOf(idle.map(({policy})=>name(policy.name)))}`]:[]].join("; "),rows=withFindings.sort((left,right)=>loudness(left.policy)-loudness(right.policy)).map(({policy,target})=>policyRow(policy,several?target:void 0)),last=rest===""?"":`${sentence(rest)}.

`;return rows.length===0?{head:"",items:last===""?[]:[last],foot:"",more:()=>""}:{head:`| policy | findings${report.verdict.only==="new"?", existing ones too":""} |
|---|---|
`,items:rows,foot:`
${last}`,more:()=>""}}function loudness({denied,warned,audited}){return denied>0?0:warned>0?1:audited>0?2:3}function policyRow(policy,target){let where=target===void 0?"":`<br>on ${name(target)}`,said=["denied","warned","audited"].filter(action=>policy[action]>0).map(action=>`${policy[action]} ${action}`),requests=policy.matched===0?"":` in ${count(policy.matched,"request")}`;return`| ${name(policy.name)}${where} | ${said.join(", ")}${requests} |
`}function clusters(report){return{head:`Clusters, derived from the repository:

`,items:derivedClusters(report).map(words=>`- ${prose(words)}
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
`}function objectLine(finding,options){let subject2=`${operationPrefix(finding)}${name(resourceLabel(finding.resource))}`,field=fieldMark(finding)!==void 0||finding.fieldPath===""?"":`, ${name(finding.fieldPath)}${byDefault(finding)}`;return`${subject2} in ${findingLink(finding,options)}${field}`}function actionNote({severity,result}){return result==="unknown"||severity==="error"?"":severity==="warning"?" (warned about)":" (audited)"}function findingLines(finding){let{primary,fieldPath}=finding,{excerpt}=primary;if(excerpt===void 0||fieldPath==="")return"";let at=primary.startLine-excerpt.firstLine,decisive=excerpt.lines[at];if(decisive===void 0)return"";let before=excerpt.lines[at-1]??"",after=excerpt.lines[at+1]??"",mark=fieldMark(finding),lines=[...isTelling(before)?[before]:[],mark===void 0?decisive:`${decisive}  # \u2190 ${mark}`,...decisive.trimEnd().endsWith(":")&&isTelling(after)?[after]:[]],margin=lines.reduce((least,line)=>Math.min(least,line.length-line.trimStart().length),1/0);return`${codeBlock(lines.map(line=>line.slice(margin)),isYaml(primary)?"yaml":"")}
`}function isTelling(line){return line.trim()!==""&&!line.startsWith("---")&&!line.trimStart().startsWith("#")}function isYaml({path}){return/\.ya?ml$/i.test(path)}function fieldMark(finding){let{primary,fieldPath}=finding,line=primary.excerpt?.lines[primary.startLine-primary.excerpt.firstLine];if(line===void 0||fieldPath===""||!isYaml(primary))return;let mark=`${fieldPath}${byDefault(finding)}`;return line.length+mark.length>MAX_MARKED_LINE?void 0:mark}function byDefault({defaulted}){return defaulted===!0?" (by default)":""}function ruleParagraph(finding,report,options){let{policy,param,binding,rule}=finding,expression=rule.expression===void 0?[]:firstLines(rule.expression),subject2=`Rule ${ruleLink(policy.name,finding,"rule",report,options)}`,given=param===void 0?"":`, param ${ruleLink(resourceLabel(param),finding,"param",report,options)}`,bound=binding===void 0||!isOneOfSeveral(finding,report)?"":`, binding ${name(binding)}`;if(expression.length<2)return`${subject2}: ${expressionCode(expression[0]??ruleName(finding))}${given}${bound}
`;let shown=expression.slice(0,MAX_EXPRESSION_LINES);return`${subject2}${given}${bound}:

${codeBlock(shown.length<expression.length?[...shown,"\u2026"]:shown,"cel")}`}function isOneOfSeveral({policy},{targets}){return targets.some(({policies})=>policies.some(({kind,name:other,bindings})=>bindings>1&&other===policy.name&&kind===policy.kind))}function notes(finding,report){let{mayBeChangedBy=[]}=finding,words=[...mayBeChangedBy.length===0?[]:[`may first be changed by ${someOf(mayBeChangedBy.map(name))}`],...[rootsNote(finding),targetNote(finding,report),...otherMessages(finding)].filter(note=>note!=="").map(prose)];return words.length===0?"":`
<sub>${words.join(", ")}</sub>
`}function fitBlock(block,limit){let total=textsIn(block),left=limit-byteLength(block.head)-byteLength(block.foot)-byteLength(block.more(total)),body="",shown=0;for(let item of block.items){let fitted=typeof item=="string"?fitText(item,left):fitBlock(item,left);if(body+=fitted.text,left-=byteLength(fitted.text),shown+=fitted.shown,fitted.shown<(typeof item=="string"?1:textsIn(item)))break}let more=shown<total?block.more(total-shown):"";return body===""&&(more===""||left<0)?{text:"",shown}:{text:block.head+body+more+block.foot,shown}}function fitText(text,limit){return byteLength(text)<=limit?{text,shown:1}:{text:"",shown:0}}function textsIn(block){let{items,hidden:hidden2=0}=block;return items.reduce((sum,item)=>sum+(typeof item=="string"?1:textsIn(item)),hidden2)}var MAX_OPEN_FINDINGS=10,MAX_TITLE_LENGTH=150;function ruleGroups(findings,limit,report,options){let groups=listed(groupsOf(findings)).sort((one,other)=>weight(one)-weight(other)||other.all.length-one.all.length),tail=number=>number===0?"":`${count(number,"more finding")}; the JSON report has them all.

`,left=limit-byteLength(tail(findings.length)),written="",shown=0,seen=0;for(let[index,group]of groups.entries()){let block=groupBlock(group,index===0||seen<MAX_OPEN_FINDINGS,report,options),fitted=fitBlock(block,left/(groups.length-index));seen+=group.all.length,fitted.shown!==0&&(written+=fitted.text,shown+=fitted.shown,left-=byteLength(fitted.text))}return written+tail(findings.length-shown)}function groupsOf(findings){let groups=new Map;for(let finding of findings){let key=ruleKey(finding),group=groups.get(key);group===void 0?groups.set(key,[finding]):group.push(finding)}return[...groups.values()]}function listed(groups){let left=MAX_LISTED;return[...groups].sort((one,other)=>one.length-other.length).map((all,index)=>{let number=Math.min(all.length,Math.floor(left/(groups.length-index)));if(left-=number,number===all.length)return{listed:all,all};let chosen=new Set(inTurns(all,objectKey).slice(0,number));return{listed:all.filter(finding=>chosen.has(finding)),all}}).filter(group=>group.listed.length>0)}function ruleKey({policy,rule}){return[policy.kind,policy.name,rule.field,rule.expression].join("\0")}function weight({all}){return all.reduce((least,{severity})=>Math.min(least,SEVERITY_RANK[severity]),SEVERITY_RANK.notice)}function groupBlock({listed:listed2,all},open,report,options){let[first]=listed2,isCommon=all.every(({message:message2})=>message2===first.message),isOneAction=all.every(({severity,result})=>severity===first.severity&&result===first.result),title=isCommon?`<b>${htmlText(first.message)}</b> \xB7 ${htmlCode(first.policy.name)}`:ruleTitle(first),isOneBinding=all.every(({binding,param})=>binding===first.binding&&param?.name===first.param?.name),item=finding=>{let words2=isCommon?"":`<br>${paragraph(finding.message)}`,action=isOneAction?"":actionNote(finding),by=isOneBinding?"":bindingNote(finding);return`- ${objectLine(finding,options)}${action}${words2}${by}${notes(finding,report).trimEnd().replace(`
`,"<br>")}
`},isWhole=firstLines(first.message).length===1&&first.message.length<=MAX_TITLE_LENGTH,words=isCommon&&!isWhole?`${paragraph(first.message)}

`:"",rule=ruleParagraph(isOneBinding?first:withoutBinding(first),report,options);return{head:`<details${open?" open":""}><summary>${title} \xB7 ${objectTally(all)}</summary>

${words}${rule}
${findingLines(first)}`,items:listed2.map(item),foot:`
</details>

`,more:()=>""}}function ruleTitle(finding){return`<b>${htmlCode(finding.policy.name)}</b> ${htmlCode(ruleName(finding))}`}function withoutBinding({binding:_binding,param:_param,...finding}){return finding}function bindingNote({binding,param}){let words=[...binding===void 0?[]:[binding],...param===void 0?[]:[firstLines(param.name)[0]??""]];return words.length===0?"":`<br><sub>${words.map(htmlCode).join(" ")}</sub>`}var MAX_SINGLE_FINDINGS=10;function findingsText(report,limit,title,options){let counted=shownFindings(report);if(counted.length===0)return"";let head=title?`### Findings

`:"";if(counted.length>MAX_SINGLE_FINDINGS){let tally=`${count(counted.length,"finding")} by rule:

`,text=ruleGroups(counted,limit-byteLength(head)-byteLength(tally),report,options);return head+tally+text}return fitBlock({head,items:bySeverity(counted).map(finding=>findingBlock(finding,report,options)),foot:"",more:left=>`${count(left,"more finding")}; the JSON report has them all.

`},limit).text}function shownFindings({findings,verdict}){return openFindings(findings).filter(each=>isShown(each,verdict))}var PROJECT_NAME="Preadmit",PROJECT_URL="https://github.com/preadmit/preadmit";function codePage(code){return`${PROJECT_URL}/blob/main/docs/codes/${encodeURIComponent(code.replace(new RegExp("\\p{Surrogate}","gu"),"\uFFFD"))}.md`}var EXCEPTIONS_URL=`${PROJECT_URL}/blob/main/docs/exceptions.md`;function footer(report,{runUrl,baseName,lastWords=[]}){let command=commandOf(report,baseName),isToAccept=shownFindings(report).length+openDiagnostics(report.diagnostics).length>0;return`<sub>${["Preadmit",...runUrl===void 0?[]:[`[workflow run](${runUrl})`],...isToAccept?[`[accept a finding for a time](${EXCEPTIONS_URL})`]:[],...command===void 0?[]:[`reproduce: ${name(command)}`],...lastWords].join(" \xB7 ")}</sub>
`}function commandOf({comparison,unusable,audit},baseName){let command=audit===void 0?"preadmit check":"preadmit audit";if(comparison===void 0)return unusable===void 0?command:void 0;let base=baseName!==void 0&&isPlain(baseName)?baseName:shortId(comparison.base);if(!(base===comparison.base&&base!==baseName))return isPlain(base)?`preadmit diff ${base} HEAD`:void 0}function isPlain(word){return/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(word)}var TREND_NAMES=["denied","warned","audited","errors","undecided","accepted","open"],MAX_BARS=30;function historySections(report){let{history,day=""}=report.audit??{};if(history===void 0)return[];let{sentences,lists}=auditWords(report,history,day);return[[{head:"",items:sentences.map(sentence2=>`- ${prose(sentence2)}
`),foot:`
`,more:()=>""},.1],[trend(history,day),.1],...lists.map(({title,all,items})=>[{head:`<details><summary>${title} (${all})</summary>

`,items:items.map(({subject:subject2,rule,words})=>`- ${[subject2,...rule===void 0?[]:[rule]].map(name).join(" ")}: ${message(words)}
`),hidden:Math.max(0,all-items.length),foot:`
</details>

`,more:rest=>`- ${rest} more
`},.08]),[burnDown("By policy",policyRows(history),day),.08],[burnDown("By owner",history.byOwner.some(({name:owner})=>owner!=="")?history.byOwner:[],day),.08]]}function trend({trend:points,comparedWith},day){let shown=points.slice(-MAX_BARS),before=points.find(point=>point.day===comparedWith),now=points.at(-1),rows=TREND_NAMES.filter(each=>shown.some(point=>(point[each]??0)>0)).map(each=>{let value=now?.[each]??0,change=before===void 0?"":signed(value-(before[each]??0));return`| ${each} | ${value} | ${change} | ${bars(shown.map(point=>point[each]??0))} |
`});return{head:`| | now | ${before===void 0?"change":`since ${dayWords(before.day,day)}`} | last ${shown.length===1?"day":`${shown.length} days`} with an audit |
|---|--:|--:|---|
`,items:shown.length<2?[]:rows,foot:`
`,more:()=>""}}function burnDown(title,rows,day){return{head:`<details><summary>${title}</summary>

| | ${BURN_DOWN_COLUMNS.join(" | ")} |
|---|--:|--:|--:|--:|---|
`,items:rows.map(row2=>{let[label="",...cells]=burnDownRow(row2,day);return`| ${label==="no owner"?label:name(label)} | ${cells.join(" | ")} |
`}),foot:`
</details>

`,more:rest=>`| ${rest} more | | | | | |
`}}function problems(report,options){let toldElsewhere=new Set(stricterRules(report).values());return{head:`### Problems in policies, configuration and manifests

`,items:withAdviceOnce(withSameMessage(bySeverity(openDiagnostics(report.diagnostics)).filter(diagnostic=>isCounted(diagnostic,report.verdict)).filter(diagnostic=>!toldElsewhere.has(diagnostic)))).map(([parts,advice])=>problem(parts,advice,options)),foot:`
`,more:rest=>`- ${rest} more
`}}function withAdviceOnce(problems2){let said=new Set;return problems2.map(each=>{let advice=adviceOf(each.diagnostic);if(advice===void 0)return[each,void 0];let{key,again}=adviceOnce(each.diagnostic.code,advice);return said.has(key)?[each,again]:(said.add(key),[each,advice])})}function problem(same,advice,options){let{diagnostic}=same,{code,severity,message:message2,primary}=diagnostic,where=primary===void 0?"":`<br>${lineLink(primary,options)}`,alike=[sameWords(same),alikeWords(diagnostic)].filter(words=>words!=="").map(words=>`<br>${prose(words)}`).join(""),help=advice===void 0?"":`<br>help: ${prose(advice)}`;return`- **${severity}** ${paragraph(message2,prose)} (${name(code)})${where}${alike}${help}
`}var MAX_SECTIONS=50,MAX_ROWS=100;function ownersText(report,limit,options){let parts=partsOf(report);if(parts.length===0)return"";let text=fitBlock({head:`### By owner

| owner | findings | problems |
|---|---|--:|
`,items:parts.slice(0,MAX_ROWS).map(part=>row(part)),foot:`
`,hidden:Math.max(0,parts.length-MAX_ROWS),more:rest=>`
${count(rest,"more owner")}
`},limit*.2).text,unused=ownershipSentences(report).map(sentence2=>`- ${prose(sentence2)}
`);text+=fitBlock({head:"",items:unused,foot:`
`,more:rest=>`- ${rest} more
`},limit*.1).text;let shown=parts.slice(0,MAX_SECTIONS);for(let[index,part]of shown.entries()){let head=`### ${ownerHeading(part.owner)}

`,room=(limit-byteLength(text))/(shown.length-index)-byteLength(head),ofOwner={...report,findings:part.findings,diagnostics:part.diagnostics},block=problems(ofOwner,options),mistakes=fitBlock({...block,head:""},room*.3).text,findings=findingsText(ofOwner,room-byteLength(mistakes),!1,options);mistakes+findings!==""&&(text+=head+mistakes+findings)}return text}function partsOf(report){let findings=byOwners(shownFindings(report)),counted=openDiagnostics(report.diagnostics).filter(diagnostic=>isCounted(diagnostic,report.verdict)),diagnostics=byOwners(counted);return[...new Set([...findings.keys(),...diagnostics.keys()])].sort(compareOwners).map(owner=>({owner,findings:findings.get(owner)??[],diagnostics:diagnostics.get(owner)??[]}))}function row({owner,findings,diagnostics}){let tally=findings.length===0?"\u2013":`${findings.length} (${objectTally(findings)})`;return`| ${ownerHeading(owner)} | ${tally} | ${diagnostics.length} |
`}function ownerHeading(owner){return owner===""?escapeMarkdown("no owner"):linkText(owner)}function repositoryTable({repositories}){return repositories===void 0?{head:"",items:[],foot:"",more:()=>""}:{head:`### ${count(repositories.length,"repository","repositories")}

| repository | verdict | denied | warned | audited | errors | not judged | evaluated |
|---|---|--:|--:|--:|--:|--:|--:|
`,items:worstFirst(repositories).map(summary2=>{let{denied,warned,audited,errors,unjudged,evaluated}=summary2,numbers=[denied,warned,audited,errors,unjudged,evaluated].join(" | ");return`| ${name(summary2.name)} | ${prose(conclusionWords(summary2))} | ${numbers} |
`}),foot:`
`,more:rest=>`
${count(rest,"more repository","more repositories")}
`}}var MAX_CELL_BYTES=600;function upgradeTable({audit}){let upgrades=audit?.upgrades;return upgrades===void 0?{head:"",items:[],foot:"",more:()=>""}:{head:`### Before the next upgrades

${releaseLines(upgrades).map(line=>`- ${prose(line)}
`).join("")}
${upgrades.actions.length===0?"":`| before | what | where | owner |
|---|---|---|---|
`}`,items:upgrades.actions.length===0?[`No difference was found in the known releases.
`]:upgrades.actions.map(action=>{let{before,kind,what,message:message2,owners=[]}=action,words=`**${UPGRADE_WORDS[kind]}**: ${cell(message2)} (${name(what)})`,whose=someOf(owners.map(linkText));return`| ${cell(before)} | ${words} | ${cell(subjectWords(action))} | ${whose} |
`}),foot:`
`,more:rest=>`
${count(rest,"more action")}; the JSON report has them.
`}}function cell(text){return escapeMarkdown(cutToBytes(text.replaceAll(`
`," "),MAX_CELL_BYTES))}var JOB_SUMMARY_BYTES=1048576,MARKS2={allowed:"\u2705",denied:"\u274C",undecided:"\u26A0\uFE0F","nothing-checked":"\u26A0\uFE0F"},markdown=reporterOf({name:"markdown",extension:"md",pieces:(report,{showSkipped,groupBy})=>[renderMarkdown(report,{maxBytes:JOB_SUMMARY_BYTES,showSkipped,...groupBy&&{groupBy}})]});function renderMarkdown(report,options){let{maxBytes,belowHeading=""}=options,head=`## ${headingLine(report)}

${belowHeading}`,foot=footer(report,options),left=maxBytes-byteLength(head)-byteLength(foot),section=(block,share)=>{let{text}=fitBlock(block,Math.min(maxBytes*share,left));return left-=byteLength(text),text},history=historySections(report).map(([block,share])=>section(block,share)).join(""),change=section(notices(report),.1)+section(repositoryTable(report),.3)+section(changedRules(report,options),.2)+section(candidateRules(report,options),.2)+section(upgradeTable(report),.2),coverage=section(unknowns(report),.1)+section(coverageSection(report,options),.25),isGrouped=options.groupBy==="owner",mistakes=isGrouped?"":section(problems(report,options),.15),hasTitle=change!==""||mistakes!=="",room=Math.min(maxBytes*.8,left),findings=isGrouped?ownersText(report,room,options):findingsText(report,room,hasTitle,options);left-=byteLength(findings);let aside=asides(report,options).map(([block,share])=>section(block,share)).join("");return head+history+change+mistakes+findings+aside+coverage+foot}function headingLine(report){let{conclusion}=report.verdict;return`${conclusion==="allowed"&&isBadNews(report)?MARKS2["nothing-checked"]:MARKS2[conclusion]} Admission policies: ${prose(reviewHeading(report))}`}function notices({comparison,notCompared,listed:listed2}){let sentences=[...comparison?.notices??[]];return listed2!==void 0&&sentences.push(listedSentence(listed2)),notCompared!==void 0&&sentences.push(`The whole repository was checked, not the change: ${notCompared}`),{head:"",items:sentences.map(sentence2=>`- ${prose(sentence2)}
`),foot:`
`,more:rest=>`- ${rest} more
`}}export{github,PROJECT_NAME,PROJECT_URL,codePage,markdown,renderMarkdown,headingLine};
