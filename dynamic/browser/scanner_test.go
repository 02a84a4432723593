package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"souk/templates"
)

func withoutScript() step {
	return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// wait advances the time in the tab only.
func wait(d time.Duration) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		budget := float64(d.Milliseconds())
		_, err := chromedp.WaitEvent(emulation.VirtualTimeBudgetExpired, nil,
			command(emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{
				Policy: emulation.VirtualTimePolicyAdvance, Budget: &budget,
			}))(ctx, t)
		return err
	})
}

// attack does what a scanner might do with its own scripts in the page: it fills in every
// field in every way that a script has, presses every button, submits every form, and fakes
// the events of a person.
const attack = `(() => {
	// Links are followed afterwards: leaving now would end the attack.
	document.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault());
	const events = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "touchstart", "touchend", "focus",
		"keydown", "keypress", "keyup", "beforeinput", "input", "change", "paste", "submit"];
	const made = (name) => {
		const data = { bubbles: true, cancelable: true, composed: true, key: "Enter", code: "Enter", keyCode: 13, data: "a", inputType: "insertText" };
		if (name.includes("input")) { return new InputEvent(name, data); }
		if (name.startsWith("key")) { return new KeyboardEvent(name, data); }
		if (name.startsWith("pointer")) { return new PointerEvent(name, data); }
		return name.includes("click") || name.startsWith("mouse") ? new MouseEvent(name, data) : new Event(name, data);
	};
	const everything = () => {
		for (const element of document.querySelectorAll("*")) {
			for (const name of events) { element.dispatchEvent(made(name)); }
			element.click?.();
		}
		for (const form of document.forms) {
			try { form.requestSubmit(); } catch {}
		}
	};
	const fields = [...document.querySelectorAll("input")];
	const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
	const fill = {
		value(field) { field.value = "acme.example"; },
		setter(field) { setter.call(field, "acme.example"); },
		attribute(field) { field.setAttribute("value", "acme.example"); },
		range(field) { field.setRangeText("acme.example"); },
		command(field) { field.focus(); document.execCommand("selectAll"); document.execCommand("insertText", false, "acme.example"); },
	};
	for (const way of Object.values(fill)) {
		for (const field of fields) {
			field.value = "";
			field.dispatchEvent(made("beforeinput"));
			way(field);
			field.dispatchEvent(made("input"));
			field.dispatchEvent(new Event("input", { bubbles: true }));
			field.dispatchEvent(made("change"));
		}
		everything();
		for (const button of document.querySelectorAll("button")) {
			button.disabled = false;
			button.click();
			button.focus();
			button.dispatchEvent(made("click"));
		}
		everything();
	}
	for (const button of document.querySelectorAll("button")) { button.disabled = false; }
	return fields.map((field) => field.value).join(" ");
})()`

func TestScannerPostsNothing(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := newSite(t)
			s.answers(answer{status: 200, body: removed})
			p := open(t)
			p.visit(s.link(kind))
			p.do(wait(time.Hour))
			p.moveMouse()
			p.pressEverything()
			p.do(wait(time.Minute))
			if got := get(p, chromedp.Evaluate[string](attack)); !strings.Contains(got, "acme.example") {
				t.Fatalf("the scanner filled in %q", got)
			}
			p.do(wait(time.Hour))
			p.clean(s.pages.URL, s.api.URL)
			// This really presses the button that the script enabled, but no person typed
			// the text in the field.
			p.pressEverything()
			p.do(wait(time.Minute))
			if p.text("#form") == "" {
				t.Error("the page shows an outcome")
			}
			for _, address := range get(p, chromedp.Evaluate[[]string](`[...document.links].map((link) => link.href)`)) {
				open(t).do(chromedp.Navigate(address), wait(time.Minute))
			}
			if got := s.posted(); len(got) != 0 {
				t.Errorf("the scanner confirmed: %+v", got)
			}
			for _, asked := range s.checked() {
				if asked.body != checkBody || asked.authorization != "" {
					t.Errorf("the page asked more than what the link is for: %+v", asked)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, visit := range s.visited {
				if strings.Contains(visit, token) || !strings.HasPrefix(visit, "GET /") {
					t.Errorf("the host of the pages was asked for %s", visit)
				}
			}
		})
	}
}

// moveMouse moves the real mouse over the whole page and turns its wheel.
func (p *page) moveMouse() {
	p.t.Helper()
	for y := 20.0; y < 700; y += 60 {
		for x := 20.0; x < 900; x += 110 {
			p.do(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y}))
		}
	}
	p.do(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: 300, Y: 300, DeltaX: 1, DeltaY: 400}))
}

// pressEverything clicks each visible button and field with the real mouse.
func (p *page) pressEverything() {
	p.t.Helper()
	for _, selector := range get(p, chromedp.Evaluate[[]string](
		`[...document.querySelectorAll("button, input, label, h1, h2")].filter((e) => e.checkVisibility()).map((e, i) => (e.dataset.probe = i, "[data-probe='" + i + "']"))`)) {
		p.do(chromedp.Click(chromedp.CSS(selector)))
	}
}

func TestScriptsCannotConfirmForAPerson(t *testing.T) {
	s := newSite(t)
	s.answers(answer{status: 200, body: removed})
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"), chromedp.WaitEnabled(chromedp.CSS("#confirm")))
	p.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const button = document.getElementById("confirm");
		for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
			button.dispatchEvent(new MouseEvent(name, { bubbles: true }));
		}
		button.click();
		document.forms[0].requestSubmit();
		for (const name of ["keydown", "keypress", "keyup"]) {
			button.dispatchEvent(new KeyboardEvent(name, { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
		}
	})()`), wait(time.Hour))
	if got := s.posted(); len(got) != 0 || p.text("#outcome") != "" {
		t.Errorf("a script confirmed: %+v", got)
	}
	p.clean(s.pages.URL, s.api.URL)
}
