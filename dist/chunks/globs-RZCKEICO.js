import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{braceProblem,compileAnyGlob}from"./chunk-AYHVE2DR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UZIC2Q5B.js";import"./chunk-O2FGPZAD.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{braceProblem,compileAnyGlob};
