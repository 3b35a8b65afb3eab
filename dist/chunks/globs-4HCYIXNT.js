import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{braceProblem,compileAnyGlob}from"./chunk-AYHVE2DR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-KV27G2MN.js";import"./chunk-KI2L4NWG.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{braceProblem,compileAnyGlob};
