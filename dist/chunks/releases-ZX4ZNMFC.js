import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-TEIFSWGB.js";import"./chunk-YIIPH2YU.js";import"./chunk-2TSMZZX2.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UZIC2Q5B.js";import"./chunk-O2FGPZAD.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
