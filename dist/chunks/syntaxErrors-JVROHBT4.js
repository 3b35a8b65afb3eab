import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-N57F5JLT.js";import"./chunk-ABZBNJLJ.js";import"./chunk-KV27G2MN.js";import"./chunk-KI2L4NWG.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
