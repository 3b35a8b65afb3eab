import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-CXLTTNAI.js";import"./chunk-FMWVETBG.js";import"./chunk-XGT7FQ5C.js";import"./chunk-ABZBNJLJ.js";import"./chunk-627DEU6R.js";import"./chunk-FGUHBLBI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
