import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-QFL2YIYA.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AMXYER3H.js";import"./chunk-QVXWCSSO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
