import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{EXIT}from"./chunk-OE4J4PO4.js";import{text}from"./chunk-OYUPJBBQ.js";function stoppedBy({report},{color,width,err}){return err(text.render(report,{color,width,showSkipped:!1,quiet:!0})),EXIT.usage}export{stoppedBy};
