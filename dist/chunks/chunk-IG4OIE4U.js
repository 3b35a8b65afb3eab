import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{baselineKey,diagnosticSubject,isUndecided,jsonString,problemKeys}from"./chunk-KV27G2MN.js";import{append}from"./chunk-KI2L4NWG.js";var HEADER=`# Accepted findings. Each entry applies until its last day; \`preadmit baseline --help\`.
# yaml-language-server: $schema=https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/baseline.schema.json
version: 1
`,KEYS=["code","policy","rule","binding","param","resource","field","target","touched","owner","reason","expires"],PLAIN=/^[A-Za-z](?:[A-Za-z0-9 ._/[\]-]*[A-Za-z0-9./\]])?$/,WORDS=/^(?:y|yes|n|no|on|off|true|false|null)$/i;function baselineText(entries){if(entries.length===0)return`${HEADER}entries: []
`;let items=[...entries].sort(compare).map(entry=>`  - ${KEYS.flatMap(key=>entry[key]===void 0?[]:[`${key}: ${scalar(key,entry[key])}`]).join(`
    `)}
`);return`${HEADER}entries:
${items.join("")}`}function scalar(key,text){return key!=="expires"&&text.length<=200&&PLAIN.test(text)&&!WORDS.test(text)?text:jsonString(text)}function compare(left,right){for(let key of["resource",...KEYS]){let[one,other]=[left[key]??"",right[key]??""];if(one!==other)return one<other?-1:1}return 0}function isAcceptable(problem){return isUndecided(problem)||problem.severity==="error"&&diagnosticSubject(problem)!==void 0}function baselineEntries(findings,problems,severalTargets,terms){let entries=findings.map(finding=>({...baselineKey(finding,severalTargets),...terms})),keys=problems.flatMap(problemKeys),different=new Map(keys.map(key=>[JSON.stringify(key),key]));return append(entries,[...different.values()].map(key=>({...key,...terms}))),entries}export{baselineText,isAcceptable,baselineEntries};
