import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-SEGTAMSY.js";import"./chunk-RSDDYIW5.js";import"./chunk-ABZBNJLJ.js";import"./chunk-ERLCAZTM.js";import"./chunk-D3F5GFHZ.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
