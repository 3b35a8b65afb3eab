import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{braceProblem,compileAnyGlob}from"./chunk-AYHVE2DR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-H2AW6KLE.js";import"./chunk-UF5DHSPT.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{braceProblem,compileAnyGlob};
