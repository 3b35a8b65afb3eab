import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-MTV4JLKP.js";import"./chunk-LVBO67LA.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
