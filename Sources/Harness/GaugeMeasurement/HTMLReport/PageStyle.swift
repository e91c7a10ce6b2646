/// The style of a page, and its script.
extension HTMLReport {
    /// Colours that people with red-green colour blindness can tell apart (Okabe and Ito), lighter on a dark page.
    package static let style = """
        :root { color-scheme: light dark; --page: #fff; --text: #1c1f23; --quiet: #5d6670; --line: #d9dee3; --card: #f6f8fa;
          --bad: #a83f00; --good: #00694c;
          --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b3569a; --c4: #9a7000; --c5: #2b88bd; --c6: #6b6b6b; --c7: #7a4fb5;
          --c8: #004d40; --c9: #8c2d04; --c10: #c2185b; --c11: #558b2f; }
        @media (prefers-color-scheme: dark) { :root { --page: #14171a; --text: #e6e9ec; --quiet: #9aa4ae; --line: #333a41;
          --card: #1c2024; --bad: #ff9248; --good: #2fd0a0; --c0: #56b4e9; --c1: #ff9248; --c2: #2fd0a0; --c3: #e59bcf; --c4: #f0c14b; --c5: #8fd3ff;
          --c6: #b5b5b5; --c7: #b79cf0; --c8: #80cbc4; --c9: #ffab91; --c10: #ff80ab; --c11: #c5e1a5; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--text);
          font: 16px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: .5rem 0 1rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .3rem; }
        h3 { font-size: .95rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
        section > p { color: var(--quiet); margin: .2rem 0 1rem; max-width: 46rem; }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem 1rem; margin: 0;
          padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        dt { color: var(--quiet); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
        .warning { border-left: .25rem solid var(--c1); padding: .2rem .7rem; margin: .6rem 0; overflow-wrap: anywhere; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
        .plots > :only-child { max-width: 38rem; }
        .wide { grid-column: 1 / -1; max-width: none !important; overflow-x: auto; }
        .wide > svg { min-width: 34rem; } .stage .plots { margin: .6rem 0; }
        .bars h4 { break-after: avoid; } h4 { font-size: .8rem; font-weight: 500; color: var(--quiet); margin: .8rem 0 .2rem; }
        .numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .6rem; }
        .number { padding: .6rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        .number b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
        .number span { color: var(--quiet); font-size: .85rem; }
        .find { position: sticky; top: 0; z-index: 2; background: var(--page); padding: .5rem 0; margin-top: 1rem; }
        .find input { width: 100%; max-width: 30rem; font: inherit; padding: .35rem .6rem; color: inherit;
          background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
        .numbers + .scroll { margin-top: .8rem; } .stage > h2 { margin-top: 1.4rem; } .stage > p { margin: 0 0 .3rem; }
        .cases { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: 0 2rem; }
        details.case { margin: 0; padding: 0; border-bottom: 1px solid var(--line); min-width: 0; }
        details.case[open] { grid-column: 1 / -1; padding-bottom: .8rem; }
        details.case > summary { display: grid; grid-template-columns: minmax(0, 1fr) 5.5rem 11.5rem; gap: .6rem;
          padding: .18rem 0; font-size: .9rem; font-variant-numeric: tabular-nums; }
        summary .time { text-align: right; font-weight: 600; } summary .near { color: var(--quiet); }
        details.case > summary::before { content: none; } summary .name::before { content: "▸ "; color: var(--quiet); }
        details[open] > summary .name::before { content: "▾ "; }
        .bars { columns: 2 26rem; column-gap: 2rem; } .bars .bar { break-inside: avoid; }
        #tip { position: fixed; z-index: 3; pointer-events: none; padding: .2rem .5rem; border-radius: .3rem;
          background: var(--text); color: var(--page); font-size: .8rem; white-space: pre; }
        [hidden] { display: none !important; }
        @media (max-width: 40rem) { details.case > summary { grid-template-columns: minmax(0, 1fr) 5rem; }
          summary .near { grid-column: 1 / -1; padding-left: 1.1em; font-size: .8rem; } }
        figure { margin: 0; padding: .7rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        figcaption { font-weight: 600; overflow-wrap: anywhere; }
        figure svg { display: block; width: 100%; height: auto; }
        svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; } svg text.y { text-anchor: end; }
        svg text.x { text-anchor: middle; } svg text.start { text-anchor: start; } svg text.end { text-anchor: end; }
        .grid { stroke: var(--line); }
        path { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .3rem 0 0; padding: 0;
          font-size: .85rem; }
        .legend li { overflow-wrap: anywhere; min-width: 0; }
        .legend svg { display: inline-block; width: 28px; height: 10px; margin-right: .35em; }
        nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; } a { color: inherit; }
        .c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
        .c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
        .c8 { --c: var(--c8); } .c9 { --c: var(--c9); } .c10 { --c: var(--c10); } .c11 { --c: var(--c11); }
        path { stroke: var(--c); } circle { fill: var(--c); } circle.ring { fill: none; stroke: var(--c); stroke-width: 1.8; }
        .ratios { columns: 2 26rem; column-gap: 2rem; } .case { break-inside: avoid; padding: .35rem 0 .6rem; }
        .bar { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .6rem; font-size: .88rem; }
        .bar b { font-variant-numeric: tabular-nums; } .bar span { min-width: 0; overflow-wrap: anywhere; }
        .bar svg { grid-column: 1 / -1; width: 100%; height: .6rem; }
        .bar path { fill: var(--c); stroke: none; } .bar rect { fill: var(--c); } .bar rect.track { fill: var(--line); } .bar rect.one { fill: var(--text); }
        .bar rect.whisker, .slices rect.one { fill: var(--text); stroke: var(--page);
          stroke-width: 1px; paint-order: stroke; vector-effect: non-scaling-stroke; }
        .bar b { text-align: right; } .bar.slices svg { height: 1.6rem;
          border-bottom: 1px solid var(--line); margin-bottom: .5rem; }
        .axis { position: relative; height: 1.1em; color: var(--quiet); font-size: .72rem; }
        .axis span { position: absolute; white-space: nowrap; transform: translateX(-50%); } .axis span:first-child { transform: none; }
        .axis span:last-child { transform: translateX(-100%); }
        @media (max-width: 30rem) { .axis span:nth-last-child(2) { display: none; } }
        details { margin: .6rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; } details dl { margin-top: .4rem; }
        .scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%;
          font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
        th:first-child { text-align: left; font-weight: 500; } thead th { color: var(--quiet); font-weight: 500; }
        .peer { color: var(--quiet); } .failed { text-align: left; color: var(--bad); white-space: normal; }
        .worse { color: var(--bad); font-weight: 600; } .better { color: var(--good); font-weight: 600; }
        details.warning p { margin: .4rem 0 0; }
        @media (max-width: 40rem) { th:first-child { position: sticky; left: 0; background: var(--page);
          min-width: 9.5rem; max-width: 9.5rem;
          white-space: normal; overflow-wrap: anywhere; } }
        """

    /// Filters cases by the words in the field, and shows the values under the pointer. It reads the page and requests
    /// nothing.
    package static let script = """
        const field = document.getElementById("find");
        if (field) {
          field.parentElement.hidden = false;
          field.addEventListener("input", () => {
            const words = field.value.toLowerCase().split(" ").filter(Boolean);
            for (const item of document.querySelectorAll("[data-find]"))
              item.hidden = !words.every(word => item.dataset.find.includes(word));
            for (const stage of document.querySelectorAll(".stage"))
              stage.hidden = !stage.querySelector("[data-find]:not([hidden])");
            document.getElementById("none").hidden = document.querySelector("[data-find]:not([hidden])") !== null;
          });
        }
        const tip = document.getElementById("tip");
        const time = ns => { for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]])
          if (ns >= size) return (ns / size).toPrecision(3) + " " + unit; return ns.toPrecision(3) + " ns"; };
        document.addEventListener("pointermove", event => {
          const chart = event.target.closest ? event.target.closest("svg") : null;
          const lines = chart ? [...chart.querySelectorAll("[data-tip]")] : [];
          const box = chart ? chart.getBoundingClientRect() : null;
          let text = "";
          if (chart && chart.dataset.counts) {
            const counts = chart.dataset.counts.split(" ").map(Number);
            const [low, high] = [Number(chart.dataset.low), Number(chart.dataset.high)];
            const bin = Math.max(0, Math.min(counts.length - 1,
              Math.floor((event.clientX - box.left) / box.width * counts.length)));
            const width = (high - low) / counts.length;
            text = counts[bin] + " slices of " + time(low + bin * width) + " to " + time(low + (bin + 1) * width);
          } else if (lines.length) {
            const x = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
            text = lines.map(line => {
              const points = line.dataset.tip.split("|").map(point => {
                const colon = point.indexOf(":");
                return [Math.abs(Number(point.slice(0, colon)) - x), point.slice(colon + 1)];
              });
              return line.dataset.name + "  " + points.reduce((a, b) => b[0] < a[0] ? b : a)[1];
            }).join(String.fromCharCode(10));
          }
          tip.hidden = !text;
          tip.textContent = text;
          tip.style.left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 4) + "px";
          tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4) + "px";
        });
        """
}
