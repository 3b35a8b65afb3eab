import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-AMTWFNFZ.js";import"./chunk-R6W3ZBMY.js";import"./chunk-GLQGE4OP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-ICGTJ2IR.js";import"./chunk-BLOS2CJM.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
