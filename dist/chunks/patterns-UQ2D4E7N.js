import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-XWMEWJ7L.js";import"./chunk-ABZBNJLJ.js";import"./chunk-T5CW5HWP.js";import"./chunk-NLVJFBRO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
