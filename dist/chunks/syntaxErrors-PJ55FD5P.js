import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-C6YE3KKD.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AMXYER3H.js";import"./chunk-QVXWCSSO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
