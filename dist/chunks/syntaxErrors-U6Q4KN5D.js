import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-XYS5SKI6.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AZOSNQKI.js";import"./chunk-GK3UFQLL.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
