import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-T5CW5HWP.js";import"./chunk-NLVJFBRO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
