import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{braceProblem,compileAnyGlob}from"./chunk-AYHVE2DR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-2H4GCSJC.js";import"./chunk-NJCZ6JJK.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{braceProblem,compileAnyGlob};
