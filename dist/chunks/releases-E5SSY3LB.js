import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-MEVHNDCP.js";import"./chunk-TSIMCAL2.js";import"./chunk-ZY6EEBJG.js";import"./chunk-ABZBNJLJ.js";import"./chunk-6O4RGGPG.js";import"./chunk-JGM2U67P.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
