import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-UGJSWOPB.js";import"./chunk-QE6R55L4.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
