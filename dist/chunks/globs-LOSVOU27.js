import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{braceProblem,compileAnyGlob}from"./chunk-AYHVE2DR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-JQ22R6SO.js";import"./chunk-DR6KJIV4.js";import"./chunk-RKRD3QXJ.js";import"./chunk-XQM4SLIR.js";export{braceProblem,compileAnyGlob};
