import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-JAU4R5RG.js";import"./chunk-JQYUOMCX.js";import"./chunk-SDGK2TRO.js";import"./chunk-ABZBNJLJ.js";import"./chunk-APA3UHAF.js";import"./chunk-NTZA7YXI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
