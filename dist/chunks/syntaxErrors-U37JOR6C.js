import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-XT33ANS7.js";import"./chunk-ABZBNJLJ.js";import"./chunk-627DEU6R.js";import"./chunk-FGUHBLBI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
