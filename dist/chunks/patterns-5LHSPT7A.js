import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-Q64UQEOX.js";import"./chunk-ABZBNJLJ.js";import"./chunk-627DEU6R.js";import"./chunk-FGUHBLBI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
