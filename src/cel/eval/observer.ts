// Records a run as a tree of events.
import { WorkExceeded } from '../../go/meter.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue, OpaqueValue, Optional, type Value } from '../value/value.ts';
import type { AttributeObserver } from './attribute.ts';
import type { ObserveElement } from './fold.ts';
import type { Frame, Run } from './frame.ts';

/** Above this number, a comprehension keeps only the event of its last iteration. */
const MOST_EVENTS = 100_000;

/** Above this number, a run is not explained, because the events would take too much memory. */
const MOST_RECORDED = 300_000;

/** Plans exist with and without an observer; the steps are the same. */
export class Observer implements AttributeObserver {
  observe(id: number, run: Run): Run {
    return (frame) => {
      const outer = frame.events;
      const children: TraceEvent[] = [];
      frame.events = children;
      const value = placed(run(frame), id);
      frame.events = outer;
      record(frame);
      outer.push({ nodeId: id, value, children });
      return value;
    };
  }

  nest(
    frame: Frame,
    id: number,
    mark: number,
    read: Value | undefined,
    operand: Value,
    key: Value | undefined,
  ): Value | undefined {
    const value = read === undefined ? Optional.none : placed(read, id);
    const event: TraceEvent = { nodeId: id, value, children: frame.events.splice(mark) };
    const run = operand instanceof OpaqueValue && typeof key === 'string' ? operand.traceOf(key) : undefined;
    record(frame);
    frame.events.push(run === undefined ? event : { ...event, variable: { name: key as string, event: run } });
    return read === undefined ? undefined : value;
  }

  amend(frame: Frame, value: Value): void {
    const last = frame.events.pop();
    if (last !== undefined) frame.events.push({ ...last, value });
  }

  readonly observeElement: NonNullable<ObserveElement> = (frame, key, value, step) => {
    const result = step(frame);
    const last = frame.events.pop();
    // If an iteration decides the result, it is the last one.
    if (frame.recorded > MOST_EVENTS && frame.events[frame.events.length - 1]?.element !== undefined)
      frame.events.pop();
    if (last !== undefined) frame.events.push({ ...last, element: { key, value } });
    return result;
  };
}

function record(frame: Frame): void {
  frame.recorded++;
  if (frame.recorded > MOST_RECORDED) throw new WorkExceeded();
}

/** Adds the location to an error without one (cel-go `LabelErrNode`). */
function placed(value: Value, id: number): Value {
  return value instanceof ErrorValue && value.nodeId === undefined
    ? new ErrorValue(value.message, value.kind, id)
    : value;
}
