import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-NEDR77ZZ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-6O4RGGPG.js";import"./chunk-JGM2U67P.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
