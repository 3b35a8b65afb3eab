import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-WQIQQ6IX.js";import"./chunk-TPYNSMNY.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
