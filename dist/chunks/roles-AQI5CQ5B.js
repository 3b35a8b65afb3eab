import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-U7WRLGN3.js";import"./chunk-ABZBNJLJ.js";import"./chunk-MTV4JLKP.js";import"./chunk-LVBO67LA.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
