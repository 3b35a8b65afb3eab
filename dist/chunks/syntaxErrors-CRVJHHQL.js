import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-AJTODVBZ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-NLBMMXPT.js";import"./chunk-NDN5HIAA.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
