import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-AZOSNQKI.js";import"./chunk-GK3UFQLL.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
