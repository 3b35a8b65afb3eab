import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-L5TBZF2I.js";import"./chunk-QIBOSZ2D.js";import"./chunk-ABZBNJLJ.js";import"./chunk-T5CW5HWP.js";import"./chunk-NLVJFBRO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
