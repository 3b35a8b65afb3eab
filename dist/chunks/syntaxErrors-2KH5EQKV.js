import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-B4J5P6YX.js";import"./chunk-ABZBNJLJ.js";import"./chunk-7SPMFRT4.js";import"./chunk-FITJMBQK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
