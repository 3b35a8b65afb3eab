import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-WWSNPVND.js";import"./chunk-WHQ7XFSZ.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
