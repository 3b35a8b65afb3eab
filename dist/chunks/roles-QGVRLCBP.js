import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-WIH73C27.js";import"./chunk-ABZBNJLJ.js";import"./chunk-APA3UHAF.js";import"./chunk-NTZA7YXI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
