import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-4SEV7SOU.js";import"./chunk-KPDVUBHS.js";import"./chunk-RMELR32U.js";import"./chunk-ABZBNJLJ.js";import"./chunk-XHUZHQEC.js";import"./chunk-BDPOKNSO.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
