import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-64KIEN6H.js";import"./chunk-R3WO65CF.js";import"./chunk-HJWBSEBG.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N2TLGJSN.js";import"./chunk-GNEFPOCK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
