import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{text}from"./chunk-KM7HB6KA.js";import{EXIT}from"./chunk-6V7432TI.js";function stoppedBy({report},{color,width,err}){return err(text.render(report,{color,width,showSkipped:!1,quiet:!0})),EXIT.usage}export{stoppedBy};
