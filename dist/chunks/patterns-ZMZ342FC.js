import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-TNCXN6XQ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N3E7PXKU.js";import"./chunk-NX3OODTV.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
