import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-RG3QLN7W.js";import"./chunk-ABZBNJLJ.js";import"./chunk-H2AW6KLE.js";import"./chunk-UF5DHSPT.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
