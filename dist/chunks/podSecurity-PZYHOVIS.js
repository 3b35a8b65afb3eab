import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-Z7FUPSEI.js";import"./chunk-6GSU5JRU.js";import"./chunk-ABZBNJLJ.js";import"./chunk-NJZPHI7K.js";import"./chunk-ZSO4VN3F.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
