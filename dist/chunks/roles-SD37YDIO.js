import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-7K5BC2WC.js";import"./chunk-ABZBNJLJ.js";import"./chunk-6O4RGGPG.js";import"./chunk-JGM2U67P.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
